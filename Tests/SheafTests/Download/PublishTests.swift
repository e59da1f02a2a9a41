import Sheaf
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Nothing appears under the final name before it is right, and nothing that is there is lost.
@Suite("Publishing", .serialized)
struct PublishTests {
  static let entity = Entity(seed: 31, size: 20 << 20)

  @Test("verifies every kind of digest", arguments: Checksum.Algorithm.allCases.filter { $0 != .crc32c })
  func digests(algorithm: Checksum.Algorithm) async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let name = algorithm.rawValue.filter { $0 != "-" }
    let bytes = algorithm == .crc32 ? try #require(try crc32OfEntity()) : try #require(Self.entity.digest(name))
    let fetched = try await fetch(origin.url, to: directory) {
      $0.checksum = try? Checksum(parsing: "\(algorithm.rawValue)=\(hexadecimal(bytes))")
    }
    #expect(fetched.success?.verified == [algorithm.rawValue], "\(fetched.result)")
    #expect(directory.names() == ["file.bin"])
  }

  /// As Python's zlib computes it: another program's word.
  private func crc32OfEntity() throws -> [UInt8]? {
    let directory = try TemporaryDirectory()
    try Self.entity.write(toFileAt: directory.file("file"))
    let python = try ChildProcess(
      "python3",
      ["-c", "import sys, zlib; print('%08x' % zlib.crc32(open(sys.argv[1], 'rb').read()))", directory.file("file")])
    guard python.wait().isSuccess else { return nil }
    let digits = python.text(of: .output).filter(\.isHexDigit)
    return stride(from: 0, to: 8, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
  }

  @Test("a wrong digest publishes nothing and keeps the bytes aside", arguments: [1, 16])
  func wrongDigest(connections: Int) async throws {
    let origin = try Origin(entity: Self.entity, behaviour: .correct.lyingAboutStart())
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) {
      $0.connections = connections
      $0.checksum = try? Checksum(parsing: hexadecimal(Self.entity.sha256()))
    }
    #expect(fetched.code == .checksum)
    #expect(directory.names() == ["file.bin.part"])
  }

  @Test("an existing file stays and fails the download before any request")
  func exists() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    try directory.write("mine", to: "file.bin")
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.code == .exists)
    #expect(try directory.read("file.bin") == Array("mine".utf8))
    #expect(directory.names() == ["file.bin"])
    #expect(origin.log.requests.isEmpty)
  }

  @Test("an existing file is replaced only when asked, and only by a whole one")
  func overwrites() async throws {
    let origin = try Origin(entity: Self.entity, behaviour: .correct.status(404))
    let directory = try TemporaryDirectory()
    try directory.write("mine", to: "file.bin")
    let failed = try await fetch(origin.url, to: directory) { $0.overwrites = true }
    #expect(failed.code == .notFound)
    #expect(try directory.read("file.bin") == Array("mine".utf8))
    origin.serve(Self.entity)
    let fetched = try await fetch(origin.url, to: directory) { $0.overwrites = true }
    #expect(fetched.code == nil)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    #expect(directory.names() == ["file.bin"])
  }

  @Test(
    "a complete file with the same identity is not fetched again",
    arguments: [
      "correct", "last-modified-only", "redirects-once",
    ])
  func alreadyComplete(behaviour: String) async throws {
    let named = try #require(NamedBehaviour.named(behaviour))
    let origin = try Origin(entity: Self.entity, behaviour: named.behaviour(for: Self.entity))
    let directory = try TemporaryDirectory()
    let first = try await fetch(origin.url, to: directory)
    #expect(first.success?.wasAlreadyComplete == false)
    origin.clearLog()
    let second = try await fetch(origin.url, to: directory)
    #expect(second.success?.wasAlreadyComplete == true, "\(second.result)")
    #expect(second.success?.fetchedBytes == 0)
    #expect(origin.log.bytesSent(in: 0..<Self.entity.size) == 0)
    #expect(directory.names() == ["file.bin"])
  }

  @Test("a complete file that was changed since, or another one on the server, is not taken for it")
  func notComplete() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    _ = try await fetch(origin.url, to: directory)
    origin.serve(Entity(seed: 32, size: Self.entity.size))
    let other = try await fetch(origin.url, to: directory)
    #expect(other.code == .exists)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    origin.serve(Self.entity)
    var bytes = try directory.read("file.bin")
    bytes[5] ^= 1
    try directory.write(bytes, to: "file.bin")
    let changed = try await fetch(origin.url, to: directory)
    #expect(changed.code == .exists)
  }

  @Test("a complete file is known by its digest without a request")
  func knownByDigest() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    try Self.entity.write(toFileAt: directory.file("file.bin"))
    let fetched = try await fetch(origin.url, to: directory) {
      $0.checksum = try? Checksum(parsing: hexadecimal(Self.entity.sha256()))
    }
    #expect(fetched.success?.wasAlreadyComplete == true)
    #expect(origin.log.requests.isEmpty)
  }

  @Test("two downloads to one target: one wins, the other says so")
  func locked() async throws {
    let origin = try Origin(entity: Self.entity, behaviour: .correct.rate(4 << 20))
    let directory = try TemporaryDirectory()
    let first = try Download(origin.url, to: .file(directory.file("file.bin")))
    first.start()
    #expect(await origin.reached { $0.bytesSent > 0 })
    let second = try await fetch(origin.url, to: directory)
    #expect(second.code == .inUse)
    _ = try await first.value
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("a failed start leaves everything as it was", arguments: ["exists", "pipe"])
  func failedStart(kind: String) async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    if kind == "exists" {
      try directory.write("mine", to: "file.bin")
      try directory.write("part", to: "file.bin.part")
    } else {
      #expect(mkfifo(directory.file("file.bin.part"), 0o600) == 0)
    }
    let names = directory.names()
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.code == (kind == "exists" ? .exists : .openFailed))
    #expect(directory.names() == names)
  }

  @Test("missing directories are made; a file in their place is an error")
  func directories() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory, name: "a/b/file.bin")
    #expect(fetched.code == nil)
    #expect(Self.entity.matches(fileAt: directory.file("a/b/file.bin")))
    try directory.write("", to: "plain")
    let failed = try await fetch(origin.url, to: directory, name: "plain/file.bin")
    #expect(failed.code == .directoryFailed)
    let onDirectory = try await fetch(origin.url, to: directory, name: "a")
    #expect(onDirectory.code == .createFailed)
  }

  @Test("the published file has the mode that the user's mask asks for")
  func mode() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    _ = try await fetch(origin.url, to: directory)
    var status = stat()
    #expect(lstat(directory.file("file.bin"), &status) == 0)
    let mask = umask(0)
    umask(mask)
    #expect(status.st_mode & 0o777 == 0o666 & ~mask)
  }
}
