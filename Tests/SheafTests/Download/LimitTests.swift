import Sheaf
import TestSupport
import Testing

/// Downloads that may not be as fast as they could. Time is only asserted to be long enough: a slow machine makes it longer.
@Suite("Limits", .timeLimit(.minutes(3)))
struct LimitTests {
  private static let entity = Entity(seed: 91, size: 3 << 20)

  /// Seconds that so many bytes need at least.
  private func least(_ bytes: Int64, at rate: Int64) -> Double { 0.85 * Double(bytes) / Double(rate) }

  private func seconds(_ work: () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    return try await clock.measure { try await work() } / .seconds(1)
  }

  @Test("a limited download is whole and takes its time", arguments: [1, 16])
  func limited(connections: Int) async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let seconds = try await seconds {
      let fetched = try await fetch(origin.url, to: directory) {
        $0.bytesPerSecond = 4 << 20
        $0.connections = connections
        $0.split = connections
      }
      #expect(fetched.success?.bytes == Self.entity.size, "\(fetched.result)")
    }
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(seconds > least(Self.entity.size, at: 4 << 20))
  }

  @Test("a low limit is carried by few connections")
  func few() async throws {
    let origin = try Origin(entity: Entity(seed: 92, size: 9 << 20))
    let directory = try TemporaryDirectory()
    let limit = RateLimit(bytesPerSecond: 128 << 10)
    let download = try Download(
      origin.url, to: .file(directory.file("file.bin")),
      options: {
        var options = DownloadOptions()
        options.limits = [limit]
        options.durability = .off
        return options
      }())
    download.start()
    // The plan is made and carried out before there is any progress to be told.
    for await event in download.events { if case .progress(let progress) = event, progress.bytes > 0 { break } }
    #expect(origin.log.requests.count <= 2)
    // At its old rate it would need more than a minute.
    limit.bytesPerSecond = nil
    #expect(try await download.value.bytes == 9 << 20)
  }

  @Test("several downloads share a limit, small files included", arguments: [(2, 1 << 20), (64, 32 << 10)])
  func shared(count: Int, size: Int) async throws {
    let entity = Entity(seed: 93, size: Int64(size))
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let limit = RateLimit(bytesPerSecond: 2 << 20)
    let seconds = try await seconds {
      try await withThrowingTaskGroup { group in
        for index in 0..<count {
          group.addTask {
            let fetched = try await fetch(origin.url, to: directory, name: "\(index)") { $0.limits = [limit] }
            #expect(fetched.success?.bytes == entity.size, "\(fetched.result)")
          }
          // One after the other: all at once, each could take a piece before anybody has to wait.
          if index >= 2 { _ = try await group.next() }
        }
        try await group.waitForAll()
      }
    }
    #expect(seconds > least(Int64(count * size), at: 2 << 20))
  }

  @Test("a limit of less than a byte is refused")
  func usage() async throws {
    let directory = try TemporaryDirectory()
    await #expect(throws: DownloadError.self) {
      try await fetch("http://127.0.0.1:1/", to: directory) { $0.bytesPerSecond = 0 }
    }
    #expect(RateLimit(bytesPerSecond: -3).bytesPerSecond == 1)
  }
}
