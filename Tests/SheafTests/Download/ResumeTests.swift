import Sheaf
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What an earlier run left is continued, checked, and never mixed with another file.
@Suite("Resuming", .serialized)
struct ResumeTests {
  static let entity = Entity(seed: 21, size: 40 << 20)

  /// Four requests bring 26 of 40 MiB and fall silent, and no other is answered, however late the stop comes.
  private static let halfway = Behaviour.correct
    .stalling(after: (6 << 20) + (512 << 10), on: .first(4))
    .cut(.head(after: 0), .stall, on: .after(4))

  /// Starts a download and stops it once `bytes` have been sent.
  private func interrupt(
    _ origin: Origin, after bytes: Int64, in directory: TemporaryDirectory, url: String? = nil
  ) async throws {
    var options = DownloadOptions()
    options.connections = 4
    options.checkpointInterval = .milliseconds(5)
    options.durability = .off
    let download = try Download(url ?? origin.url, to: .file(directory.file("file.bin")), options: options)
    download.start()
    #expect(await origin.reached(seconds: 120) { $0.bytesSent >= bytes })
    download.cancel(keepingPartial: true)
    do {
      _ = try await download.value
      Issue.record("finished although it was stopped")
    } catch {
      #expect(error.code == .interrupted)
    }
    #expect(directory.names() == ["file.bin.part", "file.bin.sheaf"])
    origin.serve(Self.entity)
  }

  @Test("continues after a stop and fetches only what is missing")
  func continues() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    origin.clearLog()
    let fetched = try await fetch(origin.url, to: directory) { $0.connections = 4 }
    let result = try #require(fetched.success)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    #expect(directory.names() == ["file.bin"])
    #expect(result.resumedBytes > 0)
    #expect(result.resumedBytes + result.fetchedBytes - result.wastedBytes == Self.entity.size)
    #expect(origin.log.requests.allSatisfy { $0.headers["If-Range"] != nil })
  }

  @Test("a stopped download that was being digested leaves its part file unlocked")
  func unlocked() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity)
    var options = DownloadOptions()
    options.durability = .off
    options.continues = false
    options.checksum = try Checksum(parsing: "sha-512=\(String(repeating: "0", count: 128))")
    var left = 0
    for round in 1...20 {
      origin.clearLog()
      let download = try Download(origin.url, to: .file(directory.file("file.bin")), options: options)
      download.start()
      #expect(await origin.reached { $0.bytesSent >= round << 20 })
      download.cancel(keepingPartial: true)
      _ = try? await download.value
      let part = open(directory.file("file.bin.part"), O_RDWR | O_CLOEXEC)
      // What was sent may not have been read yet: then there is nothing to keep.
      guard part >= 0 else { continue }
      left += 1
      #expect(flock(part, LOCK_EX | LOCK_NB) == 0, "round \(round)")
      close(part)
    }
    #expect(left > 0)
  }

  @Test("continues from another URL with the same identity")
  func otherURL() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    origin.serve(Self.entity, at: "/moved.bin")
    let fetched = try await fetch(origin.url("/moved.bin?signature=new"), to: directory)
    #expect(try #require(fetched.success).resumedBytes > 0)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("another URL that leads to other bytes under an equal validator is not mixed in", arguments: [1, 16])
  func equalValidators(connections: Int) async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway.etag("\"same\""))
    try await interrupt(origin, after: 14 << 20, in: directory)
    let other = Entity(seed: 23, size: Self.entity.size)
    origin.serve(other, behaviour: .correct.etag("\"same\""), at: "/other.bin")
    let fetched = try await fetch(origin.url("/other.bin"), to: directory) { $0.connections = connections }
    #expect(fetched.code == nil)
    #expect(other.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(fetched.warnings.contains { $0.contains("another file") })
    let first = try await fetch(origin.url, to: directory)
    #expect(first.code == .exists)
  }

  @Test("starts over, and says so, when the file has changed", arguments: [40 << 20, 30 << 20, 50 << 20] as [Int64])
  func changed(size: Int64) async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    let new = Entity(seed: 22, size: size)
    origin.serve(new)
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.code == nil)
    #expect(new.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(fetched.success?.resumedBytes == 0)
    #expect(fetched.warnings.contains { $0.contains("changed on the server") })
  }

  @Test("starts over when the server has stopped answering ranges")
  func rangesGone() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    origin.serve(Self.entity, behaviour: .correct.ignoringRanges())
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.code == nil)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("fetches damaged blocks again")
  func damaged() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    var part = try directory.read("file.bin.part")
    // Every megabyte of the first half loses a byte: whatever blocks are claimed, they are damaged now.
    for offset in stride(from: 1000, to: part.count, by: 1 << 20) { part[offset] ^= 0x55 }
    try directory.write(part, to: "file.bin.part")
    let fetched = try await fetch(origin.url, to: directory) {
      $0.checksum = try? Checksum(parsing: "sha-256=" + hexadecimal(Self.entity.sha256()))
    }
    #expect(fetched.code == nil)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(fetched.warnings.contains { $0.contains("damaged") })
    #expect(fetched.success?.verified == ["sha-256"])
  }

  @Test("starts over with a manifest that is not what it should be", arguments: ["empty", "cut", "garbage", "flipped"])
  func hostileManifest(kind: String) async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    var manifest = try directory.read("file.bin.sheaf")
    switch kind {
    case "empty": manifest = []
    case "cut": manifest.removeLast(7)
    case "garbage": manifest = Array(repeating: 0xA5, count: manifest.count)
    default: manifest[20] ^= 1
    }
    try directory.write(manifest, to: "file.bin.sheaf")
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.code == nil)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    #expect(fetched.success?.resumedBytes == 0)
    #expect(fetched.warnings.contains { $0.contains("manifest") })
  }

  @Test("a manifest whose part file has gone counts for nothing")
  func lostPart() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    try directory.write("", to: "file.bin.part")
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.success?.resumedBytes == 0)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("finishes without a request when every byte is there")
  func complete() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity)
    let wrong = try Checksum(parsing: "crc32=00000000")
    // A wrong digest leaves all bytes aside, without a manifest: nothing to continue from.
    let failed = try await fetch(origin.url, to: directory) { $0.checksum = wrong }
    #expect(failed.code == .checksum)
    #expect(directory.names() == ["file.bin.part"])
    #expect(Self.entity.matches(fileAt: directory.file("file.bin.part")))
    origin.clearLog()
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.success?.resumedBytes == 0)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("--no-continue starts over")
  func noContinue() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    origin.serve(Self.entity)
    let fetched = try await fetch(origin.url, to: directory) { $0.continues = false }
    #expect(fetched.success.map { $0.fetchedBytes - $0.wastedBytes } == Self.entity.size)
    #expect(fetched.success?.resumedBytes == 0)
  }

  @Test("a changed file with a digest starts over", arguments: 1...3)
  func changedWithDigest(seed: UInt64) async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    try await interrupt(origin, after: 14 << 20, in: directory)
    let new = Entity(seed: 24 + seed, size: Self.entity.size)
    origin.serve(new)
    let fetched = try await fetch(origin.url, to: directory) {
      $0.checksum = try? Checksum(parsing: hexadecimal(new.sha256()))
    }
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(new.matches(fileAt: directory.file("file.bin")))
  }

  @Test("a validator too long for a manifest costs only the manifest")
  func longValidator() async throws {
    let directory = try TemporaryDirectory()
    let long = "\"" + String(repeating: "x", count: 8000) + "\""
    let origin = try Origin(entity: Self.entity, behaviour: .correct.etag(long))
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.code == nil)
    #expect(fetched.warnings.contains { $0.contains("cannot be continued") })
    #expect(directory.names() == ["file.bin"])
  }

  @Test("twenty stops in a row still end right, and the part file never grows beyond the file")
  func manyStops() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: .correct.rate(16 << 20))
    var random = SplitMix(seed: 77)
    for _ in 0..<20 {
      origin.clearLog()
      var options = DownloadOptions()
      options.connections = 8
      options.checkpointInterval = .milliseconds(2)
      options.durability = .off
      let download = try Download(origin.url, to: .file(directory.file("file.bin")), options: options)
      download.start()
      let bytes = Int64(random.next() % (2 << 20)) + 1
      _ = await origin.reached(seconds: 5) { $0.bytesSent >= bytes }
      download.cancel(keepingPartial: true)
      _ = try? await download.value
      if directory.names() == ["file.bin"] { break }
      #expect(try directory.read("file.bin.part").count <= Int(Self.entity.size))
    }
    _ = try await fetch(origin.url, to: directory)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }
}
