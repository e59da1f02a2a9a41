import Synchronization
import SheafCore
import TestSupport
import Testing

@testable import Sheaf

/// The same file comes out, whichever loops its transfers run on.
@Suite("Several loops", .serialized)
struct LoopsTests {
  static let entity = Entity(seed: 51, size: 40 << 20)

  /// Loops that always count as saturated, so that transfers go wherever there are fewest.
  private static let everywhere = LoopSpread(most: 2, saturation: -1)

  /// Downloads with an engine of the test's own.
  private func fetch(
    _ url: String, to directory: TemporaryDirectory, name: String = "file.bin", engine: Engine,
    _ configure: (inout DownloadOptions) -> Void = { _ in }
  ) async throws -> Result<DownloadResult, Failure> {
    var options = DownloadOptions()
    options.durability = .off
    configure(&options)
    let location = try #require(Location(url))
    let run = try DownloadRun(
      location, target: Target(.file(directory.file(name)), urlPath: location.path), options: options,
      channel: EventHub(), engine: engine)
    return await run.run()
  }

  @Test("two loops bring the same file as one", arguments: [1, 2], [1, 4, 16])
  func same(loops: Int, connections: Int) async throws {
    let engine = try Engine(loops: loops, spread: LoopSpread(most: loops, saturation: -1))
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let result = try await fetch(origin.url, to: directory, engine: engine) { $0.connections = connections }
    #expect(try result.get().neededBytes == Self.entity.size)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(directory.names() == ["file.bin"])
    #expect(engine.loopCount == loops)
  }

  @Test("opens a second loop when the first is busy, moves transfers there, and fetches few bytes twice")
  func opens() async throws {
    // Whatever does anything at all counts as saturated, and what has just been opened does not.
    let engine = try Engine(spread: LoopSpread(most: 2, saturation: 0))
    let origin = try Origin(entity: Self.entity, behaviour: .correct.rate(3 << 20))
    let directory = try TemporaryDirectory()
    let hub = EventHub()
    let channel = hub.eventReader()
    let location = try #require(Location(origin.url))
    var options = DownloadOptions()
    options.durability = .off
    options.connections = 4
    let run = try DownloadRun(
      location, target: Target(.file(directory.file("file.bin")), urlPath: location.path), options: options,
      channel: hub, engine: engine)
    let result = await run.run()
    hub.finish()
    var decisions: [String] = []
    while let event = await channel.next() {
      if case .decision(let text) = event { decisions.append(text) }
    }
    #expect(try result.get().neededBytes == Self.entity.size)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(engine.loopCount == 2)
    #expect(decisions.contains { $0.contains("event loop is busy") })
  }

  @Test(
    "misbehaviour ends right or honestly on two loops as on one",
    arguments: [
      "whole-file-206", "closes-after-1m", "resets-3-times", "stalls-after-64k", "changes-after-4", "shrinks-after-4",
      "grows-after-4", "alternating-etags", "at-most-4-connections", "always-500", "redirects-once",
    ])
  func misbehaves(name: String) async throws {
    let named = try #require(NamedBehaviour.named(name))
    let engine = try Engine(loops: 2, spread: Self.everywhere)
    let origin = try Origin(entity: Self.entity, behaviour: named.behaviour(for: Self.entity, over: .correct))
    let directory = try TemporaryDirectory()
    let result = try await fetch(origin.url, to: directory, engine: engine) {
      $0.timeout = .seconds(2)
      $0.maximumTries = 2
    }
    if case .success = result {
      #expect(directory.names() == ["file.bin"])
      let versions = [Self.entity.size / 2, Self.entity.size, Self.entity.size + 4096].map {
        Entity(seed: ~Self.entity.seed, size: $0)
      }
      #expect(([Self.entity] + versions).contains { $0.matches(fileAt: directory.file("file.bin")) })
    } else {
      #expect(!directory.names().contains("file.bin"))
    }
  }

  @Test("a file that changes midway leaves nothing of the old one, though its transfers are on two loops")
  func changes() async throws {
    let engine = try Engine(loops: 2, spread: Self.everywhere)
    // Slow enough to be changed midway on a busy machine, too.
    let origin = try Origin(entity: Self.entity, behaviour: .correct.rate(1 << 20))
    let directory = try TemporaryDirectory()
    let new = Entity(seed: 52, size: 30 << 20)
    async let result = fetch(origin.url, to: directory, engine: engine) { $0.connections = 8 }
    #expect(await origin.reached(seconds: 60) { $0.bytesSent >= 12 << 20 })
    origin.serve(new)
    #expect(try await result.get().bytes == new.size)
    #expect(new.difference(fromFileAt: directory.file("file.bin")) == nil)
  }

  @Test("the part file is free as soon as the download has ended", arguments: [1, 2], 1...10)
  func frees(loops: Int, round: Int) async throws {
    let engine = try Engine(loops: loops, spread: LoopSpread(most: loops, saturation: -1))
    let entity = Entity(seed: 53, size: 12 << 20)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let wrong = try await fetch(origin.url, to: directory, engine: engine) {
      $0.checksum = try? Checksum(parsing: "crc32=00000000")
    }
    #expect(throws: Failure.self) { try wrong.get() }
    #expect(try await fetch(origin.url, to: directory, engine: engine).get().bytes == entity.size)
  }

  @Test("many downloads share two loops")
  func many() async throws {
    let engine = try Engine(loops: 2, spread: Self.everywhere)
    let origin = try Origin()
    let entities = (0..<8).map { Entity(seed: 60 + UInt64($0), size: Int64($0 + 1) * 3_000_001) }
    for (index, entity) in entities.enumerated() { origin.serve(entity, at: "/\(index)") }
    let directory = try TemporaryDirectory()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in entities.indices {
        group.addTask {
          let result = try await fetch(
            origin.url("/\(index)"), to: directory, name: "\(index)", engine: engine)
          #expect(try result.get().bytes == entities[index].size)
        }
      }
      try await group.waitForAll()
    }
    for (index, entity) in entities.enumerated() { #expect(entity.matches(fileAt: directory.file("\(index)"))) }
  }
}

extension DownloadResult {
  /// Bytes received without those that came twice: what two transfers raced for, in the end.
  fileprivate var neededBytes: Int64 { fetchedBytes - wastedBytes }
}
