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

  @Test(
    "a transfer that is held takes nothing while others go on, and then everything, in whatever order it is released")
  func held() async throws {
    let entity = Entity(seed: 85, size: 3 << 20)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let loop = try TransferLoop()
    defer { loop.end() }
    let location = try #require(Location(origin.url))
    let owner = ObjectIdentifier(origin)
    let heard = Mutex<[TransferNews]>([])
    let (words, continuation) = AsyncStream.makeStream(of: TransferNews.self)
    func start(_ number: Int, telling sink: @escaping @Sendable (TransferNews) -> Void) throws {
      let path = directory.file("part\(number)")
      try directory.write("", to: "part\(number)")
      let request = TransferRequest(
        id: TransferID(number), location: location,
        question: RangeQuestion(range: ByteRange(0, entity.size), isOpen: true), carriesPrivateFields: false)
      loop.start(
        request, over: nil, for: owner, settings: TransferSettings(DownloadOptions(), for: location),
        file: PartFile(path: path, file: LocalFile(FileDescriptor(owning: open(path, O_RDWR))))
      ) { news in
        for (_, one) in news { sink(one) }
      }
    }
    try start(1) { news in
      heard.withLock { $0.append(news) }
      continuation.yield(news)
    }
    loop.carryOut {
      $0.hold(TransferID(1), of: owner, for: .consumer)
      $0.hold(TransferID(1), of: owner, for: .limit)
    }
    // The head is no matter of holding. From then on the file would come at once.
    for await word in words { if case .answered = word { break } }
    let isAnotherDone = AsyncStream.makeStream(of: Void.self)
    try start(2) { if case .left = $0 { isAnotherDone.continuation.finish() } }
    for await _ in isAnotherDone.stream {}
    #expect(entity.difference(fromFileAt: directory.file("part2")) == nil)
    loop.carryOut { $0.release(TransferID(1), of: owner, from: .consumer) }
    #expect(!heard.withLock { $0.contains { if case .advanced = $0 { true } else { false } } })
    loop.carryOut { $0.release(TransferID(1), of: owner, from: .limit) }
    for await word in words { if case .left = word { break } }
    #expect(entity.difference(fromFileAt: directory.file("part1")) == nil)
    guard case .ended(.finished)? = heard.withLock({ $0 }).dropLast().last else {
      Issue.record("\(heard.withLock { $0 })")
      return
    }
  }

  @Test("a held transfer that was shortened ends when it is released")
  func heldAndShortened() async throws {
    let entity = Entity(seed: 86, size: 3 << 20)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let loop = try TransferLoop()
    defer { loop.end() }
    let location = try #require(Location(origin.url))
    let owner = ObjectIdentifier(origin)
    let path = directory.file("part")
    try directory.write("", to: "part")
    let request = TransferRequest(
      id: TransferID(1), location: location,
      question: RangeQuestion(range: ByteRange(0, entity.size), isOpen: true), carriesPrivateFields: false)
    let (words, continuation) = AsyncStream.makeStream(of: TransferNews.self)
    loop.start(
      request, over: nil, for: owner, settings: TransferSettings(DownloadOptions(), for: location),
      file: PartFile(path: path, file: LocalFile(FileDescriptor(owning: open(path, O_RDWR))))
    ) { news in
      for (_, one) in news { continuation.yield(one) }
    }
    loop.carryOut { $0.hold(TransferID(1), of: owner, for: .consumer) }
    var last: TransferNews?
    for await word in words {
      if case .answered = word {
        loop.carryOut { loop in
          // Less than libcurl keeps at the least: it ends within the call that hands that over, or soon after.
          _ = loop.shrink(TransferID(1), of: owner, to: 1000)
          loop.release(TransferID(1), of: owner, from: .consumer)
        }
      }
      if case .left = word { break }
      last = word
    }
    guard case .ended(.finished)? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(try directory.read("part").count == 1000)
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
