@testable import SheafCore
import Synchronization
import TestSupport
import Testing

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a transfer tells, and in which order.
@Suite("TransferLoop")
struct TransferLoopTests {
  private final class Owner {}

  /// Carries out one request for the head of `origin`'s file alone or, with `directory`, for its bytes.
  private func news(
    of origin: Origin, length: Int64, into directory: TemporaryDirectory? = nil, route: TransferRoute? = nil,
    spares: Int = 0
  ) async throws -> [TransferNews] {
    let loop = try TransferLoop()
    defer { loop.end() }
    let location = try #require(Location(origin.url))
    let request = TransferRequest(
      id: TransferID(1), location: location,
      question: RangeQuestion(range: ByteRange(0, length), isOpen: true), blocks: nil, unlessStill: nil,
      carriesPrivateFields: false)
    let file = try directory.map { directory in
      let path = directory.file("part")
      try directory.write("", to: "part")
      return PartFile(path: path, file: LocalFile(FileDescriptor(owning: open(path, O_RDWR))))
    }
    let heard = Mutex<[TransferNews]>([])
    let owner = Owner()
    loop.carryOut { $0.openSpares(spares, to: "127.0.0.1", port: Int(origin.port)) }
    await withCheckedContinuation { continuation in
      loop.start(
        request, over: route, for: ObjectIdentifier(owner),
        settings: TransferSettings(DownloadOptions(), for: request.location), file: file
      ) { news in
        heard.withLock { $0 += news.map(\.1) }
        if case .left? = news.last?.1 { continuation.resume() }
      }
    }
    return heard.withLock { $0 }
  }

  @Test("says where it is connected, then judges the head, then goes on to the end, and leaves last")
  func order() async throws {
    let origin = try Origin(entity: Entity(seed: 81, size: 1 << 20))
    let directory = try TemporaryDirectory()
    let news = try await news(of: origin, length: 1 << 20, into: directory)
    guard case .opened(to: "127.0.0.1", let port, let seconds)? = news.first,
      case .connected(to: "127.0.0.1")? = news.dropFirst().first, case .answered(.range)? = news.dropFirst(2).first
    else {
      Issue.record("\(news)")
      return
    }
    #expect(port == Int(origin.port))
    #expect(seconds > 0 && seconds < 60)
    guard case .ended(.finished)? = news.dropLast().last, case .left(keepsConnection: true)? = news.last else {
      Issue.record("\(news)")
      return
    }
  }

  @Test("reports plausible round trips, but not with each packet")
  func roundTrips() async throws {
    let origin = try Origin(entity: Entity(seed: 82, size: 2 << 20), behaviour: .correct.rate(2 << 20))
    let directory = try TemporaryDirectory()
    let news = try await news(of: origin, length: 2 << 20, into: directory)
    let times = news.compactMap { if case .roundTrip(let seconds, _) = $0 { seconds } else { nil } }
    let steps = news.count { if case .advanced = $0 { true } else { false } }
    #if os(Linux)
      #expect(!times.isEmpty)
    #endif
    #expect(times.allSatisfy { $0 > 0 && $0 < 60 })
    #expect(times.count <= max(1, steps))
    #expect(steps > 3)
  }

  @Test("a transfer takes a connection that was opened for it before")
  func spare() async throws {
    let origin = try Origin(entity: Entity(seed: 84, size: 1000))
    let news = try await news(of: origin, length: 1000, into: try TemporaryDirectory(), spares: 3)
    guard case .ended(.finished)? = news.dropLast().last else {
      Issue.record("\(news)")
      return
    }
    let asked = try #require(origin.log.requests.first)
    #expect(asked.connection <= 3)
  }

  @Test("an address that refuses is told apart from a server that does")
  func unreached() async throws {
    let origin = try Origin(entity: Entity(seed: 83, size: 1000))
    let news = try await news(
      of: origin, length: 1000, route: TransferRoute(address: "127.0.0.9", connectTimeout: 5))
    guard case .unreached(isGivenUp: false)? = news.first, case .ended(.failed(let failure))? = news.dropFirst().first
    else {
      Issue.record("\(news)")
      return
    }
    #expect(failure.kind == .connectionRefused)
  }
}
