import SheafCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The threads that downloads share. Those of the shared engine live as long as the process; any other's end with it.
///
/// Every download keeps its engine, so an engine that goes has nothing left to do.
final class Engine: Sendable {
  let disk: SerialThread
  private let publishing: SerialThread
  let publisher: Publisher
  let hashing: SerialThread
  let files: any FileSystem
  let budgets = HostBudgets()
  private let resolver = Mutex<NameResolver?>(nil)
  private let spread: LoopSpread
  /// Never fewer than one; loops are added, none is taken away.
  private let loops: Mutex<[TransferLoop]>

  /// Starts the threads, and `loops` loops to begin with.
  init(
    loops count: Int = 1, spread: LoopSpread = LoopSpread(most: min(4, Engine.cores)),
    files: any FileSystem = LocalFileSystem()
  ) throws(CurlFailure) {
    var loops: [TransferLoop] = []
    do throws(CurlFailure) {
      for _ in 0..<max(1, count) { loops.append(try TransferLoop()) }
    } catch {
      for loop in loops { loop.end() }
      throw error
    }
    self.loops = Mutex(loops)
    self.spread = spread
    self.files = files
    disk = SerialThread(name: "sheaf-disk")
    publishing = SerialThread(name: "sheaf-publish")
    publisher = Publisher(thread: publishing)
    hashing = SerialThread(name: "sheaf-hash")
  }

  /// May run on one of the threads, when the last download lets go there.
  deinit {
    for loop in loops.withLock({ $0 }) { loop.end() }
    disk.stop()
    publishing.stop()
    hashing.stop()
    resolver.withLock { $0 }?.end()
  }

  /// Started at first use.
  var names: NameResolver {
    resolver.withLock { resolver in
      if let resolver { return resolver }
      let new = NameResolver()
      resolver = new
      return new
    }
  }

  private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private static let made = Mutex<Engine?>(nil)

  /// The engine of the process, started at first use.
  static var shared: Engine {
    get throws(CurlFailure) {
      // A typed error cannot cross `withLock` otherwise.
      let result = made.withLock { engine -> Result<Engine, CurlFailure> in
        if let engine { return .success(engine) }
        do throws(CurlFailure) {
          let new = try Engine()
          engine = new
          return .success(new)
        } catch {
          return .failure(error)
        }
      }
      return try result.get()
    }
  }

  // MARK: - Which loop

  var loopCount: Int { loops.withLock { $0.count } }

  /// The loop that a new download is to live on.
  func home() -> TransferLoop {
    loops.withLock { $0[spread.home(among: Self.loads(of: $0))] }
  }

  /// The loop for a download's next transfer, which may be a new one.
  func loop(after warm: TransferLoop?, home: TransferLoop) -> TransferLoop {
    loops.withLock { loops in
      openIfNeeded(&loops)
      return loops[
        spread.place(
          on: Self.loads(of: loops), warm: loops.firstIndex { $0 === warm },
          home: loops.firstIndex { $0 === home } ?? 0)]
    }
  }

  /// Transfers of a download that should go from one loop to another, which may be a new one; `own` says how many it has
  /// on a loop.
  func relief(own: (TransferLoop) -> Int) -> (from: TransferLoop, count: Int)? {
    loops.withLock { loops in
      openIfNeeded(&loops)
      guard loops.count > 1 else { return nil }
      return spread.move(on: Self.loads(of: loops), own: loops.map(own)).map { (loops[$0.from], $0.count) }
    }
  }

  private func openIfNeeded(_ loops: inout [TransferLoop]) {
    guard loops.count < spread.most, spread.wantsAnother(than: Self.loads(of: loops)) else { return }
    // Without another it goes on as it did.
    if let new = try? TransferLoop() { loops.append(new) }
  }

  private static func loads(of loops: [TransferLoop]) -> [LoopSpread.Load] {
    let now = Instant.now
    return loops.map { $0.meter.load(now) }
  }
}
