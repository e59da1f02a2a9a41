import Sheaf
import TestSupport
import Testing

@Suite("Reading a file while it comes")
struct ReadingTests {
  private static let entity = Entity(seed: 121, size: 24 << 20)

  private func download(_ origin: Origin, _ directory: TemporaryDirectory) throws -> Download {
    var options = DownloadOptions()
    options.durability = .off
    options.connections = 4
    options.checkpointInterval = .milliseconds(5)
    return try Download(origin.url, to: .file(directory.file("file.bin")), options: options)
  }

  private func matches(_ bytes: [UInt8], at offset: Int64, in directory: TemporaryDirectory) throws -> Bool {
    let all = try directory.read("file.bin")
    return all[Int(offset)..<Int(offset) + bytes.count].elementsEqual(bytes)
  }

  @Test("all bytes in order, while it runs and when it has finished", arguments: [0, 5_000_001] as [Int64])
  func inOrder(start: Int64) async throws {
    let (origin, directory) = (try Origin(entity: Self.entity), try TemporaryDirectory())
    let download = try download(origin, directory)
    for _ in 0..<2 {
      var bytes: [UInt8] = []
      for try await chunk in download.bytes(from: start) { bytes += chunk }
      #expect(Int64(bytes.count) == Self.entity.size - start)
      _ = try await download.value
      #expect(try matches(bytes, at: start, in: directory))
    }
    for try await _ in download.bytes(from: Self.entity.size) { Issue.record("bytes beyond the end") }
  }

  @Test("a range is read before the rest is there, and afterwards; what lies beyond the end is nothing")
  func ranges() async throws {
    let (origin, directory) = (try Origin(entity: Self.entity), try TemporaryDirectory())
    let download = try download(origin, directory)
    let end = try await download.read(Self.entity.size - 1000..<Self.entity.size + 1000)
    #expect(end.count == 1000)
    _ = try await download.value
    #expect(try matches(end, at: Self.entity.size - 1000, in: directory))
    #expect(try await download.read(0..<7) == Array(try directory.read("file.bin").prefix(7)))
    #expect(try await download.read(Self.entity.size..<Self.entity.size + 1) == [])
  }

  @Test("a reader goes on after a pause")
  func paused() async throws {
    let halfway = Behaviour.correct
      .stalling(after: 3 << 20, on: .first(2))
      .cut(.head(after: 0), .stall, on: .after(2))
    let (origin, directory) = (try Origin(entity: Self.entity, behaviour: halfway), try TemporaryDirectory())
    let download = try download(origin, directory)
    let reader = Task {
      var bytes: [UInt8] = []
      for try await chunk in download.bytes() { bytes += chunk }
      return bytes
    }
    for await progress in download.progress where progress.bytes >= 2 << 20 { break }
    let events = download.events
    download.pause()
    await events.first(.paused)
    origin.serve(Self.entity)
    download.resume()
    let bytes = try await reader.value
    #expect(Int64(bytes.count) == Self.entity.size)
    #expect(try matches(bytes, at: 0, in: directory))
  }

  @Test("a reader hears how the download failed, or was cancelled")
  func failed() async throws {
    let (origin, directory) = (try Origin(), try TemporaryDirectory())
    let missing = try download(origin, directory)
    await #expect(throws: DownloadError.self) { for try await _ in missing.bytes() {} }
    origin.serve(Self.entity, behaviour: .correct.cut(.head(after: 0), .stall))
    let silent = try download(origin, directory)
    let reader = Task { try await silent.read(0..<1) }
    #expect(await origin.reached { !$0.requests(for: Origin.defaultPath).isEmpty })
    silent.cancel()
    await #expect(throws: DownloadError.self) { try await reader.value }
  }
}
