import Synchronization

/// The threads that all downloads of the process share. They live as long as the process.
final class Engine: Sendable {
  let loop: TransferLoop
  let disk: SerialThread
  let publisher: Publisher
  let hashing: SerialThread
  let budgets = HostBudgets()

  private init() throws(CurlFailure) {
    loop = try TransferLoop()
    disk = SerialThread(name: "sheaf-disk")
    publisher = Publisher(thread: SerialThread(name: "sheaf-publish"))
    hashing = SerialThread(name: "sheaf-hash")
  }

  private static let made = Mutex<Engine?>(nil)

  /// The engine, started at first use.
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
}
