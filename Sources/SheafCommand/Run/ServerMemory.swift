#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf
import SheafCore
import Synchronization

/// What the command remembers of servers from one run to the next. That it cannot be read or written is no reason to fail.
final class ServerMemory: Sendable {
  private let file: StateFile
  /// Whoever reads and writes the file.
  private let turn = Mutex(())

  init(_ file: StateFile) { self.file = file }

  /// Nil if nothing is to be remembered, or nobody says where.
  convenience init?(_ place: CommandOptions.ServerPlace) {
    switch place {
    case .nowhere: return nil
    case .file(let path): self.init(StateFile(path))
    case .home:
      func directory(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
      }
      guard let state = directory("XDG_STATE_HOME") ?? directory("HOME").map({ $0 + "/.local/state" }) else {
        return nil
      }
      self.init(StateFile(state + "/sheaf/servers"))
    }
  }

  /// The mirrors in the order in which they should be asked, and what is to be said of that, if anything.
  func ranked(_ mirrors: [String]) -> (mirrors: [String], decision: String?) {
    let servers = mirrors.map { Self.server(of: $0) }
    guard !servers.contains(nil) else { return (mirrors, nil) }
    do throws(Failure) {
      let statistics = try turn.withLock { _ throws(Failure) in try read() }
      let order = statistics.ranked(servers.compactMap(\.self), now: Self.now)
      guard order != Array(mirrors.indices) else { return (mirrors, nil) }
      let hosts = order.compactMap { servers[$0]?.host }.joined(separator: ", ")
      return (order.map { mirrors[$0] }, "the order of the mirrors, by what their servers did before: \(hosts)")
    } catch {
      return (mirrors, "nothing is remembered of servers: \(error.message)")
    }
  }

  /// Remembers how the sources of a download did. Returns why that was not possible.
  func note(_ sources: [DownloadSource]) -> String? {
    do throws(Failure) {
      try turn.withLock { _ throws(Failure) in
        var statistics = try read()
        for source in sources {
          guard let server = Self.server(of: source.url) else { continue }
          if source.problem != nil {
            statistics.failed(server, now: Self.now)
          } else if source.receivedBytes > 0 {
            statistics.succeeded(server, rate: source.connectionRate, now: Self.now)
          }
        }
        try file.replace(with: Array(statistics.text.utf8))
      }
      return nil
    } catch {
      return "servers are not remembered: \(error.message)"
    }
  }

  private func read() throws(Failure) -> ServerStatistics {
    guard let bytes = try file.read(), !bytes.isEmpty else { return ServerStatistics() }
    guard let statistics = ServerStatistics(parsing: bytes, now: Self.now) else {
      throw Failure(.fileIO, "the file is of another kind or version")
    }
    return statistics
  }

  private static func server(of url: String) -> Location.Origin? { (try? Location(ofDownload: url))?.origin }

  private static var now: Int64 { Int64(time(nil)) }
}

/// A download from several sources, of which is remembered how they did.
final class RememberedDownload: RunnableDownload {
  private let download: Download
  private let memory: ServerMemory
  private let decision: String?
  private let listener = Mutex<(@Sendable (DownloadEvent) -> Void)?>(nil)

  /// - Parameter decision: what is to be said in the beginning.
  init(_ download: Download, _ memory: ServerMemory, decision: String?) {
    self.download = download
    self.memory = memory
    self.decision = decision
  }

  func start(telling listener: @escaping @Sendable (DownloadEvent) -> Void) {
    self.listener.withLock { $0 = listener }
    if let decision { listener(.decision(decision)) }
    download.start(telling: listener)
  }

  func stop() { download.stop() }

  var value: DownloadResult {
    get async throws(DownloadError) {
      let result = try await download.value
      if let problem = memory.note(result.sources) { listener.withLock { $0 }?(.decision(problem)) }
      return result
    }
  }
}
