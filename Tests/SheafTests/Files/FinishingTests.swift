import TestSupport
import Testing

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a finished file is like besides its bytes.
@Suite("Finishing")
struct FinishingTests {
  private static let entity = Entity(seed: 94, size: 9 << 20)

  private func modified(_ path: String) -> Int {
    var status = stat()
    stat(path, &status)
    #if canImport(Glibc)
      return status.st_mtim.tv_sec
    #else
      return status.st_mtimespec.tv_sec
    #endif
  }

  @Test(
    "a file gets the server's time if that is asked for, and is known again", arguments: [9 << 20, 1000] as [Int64])
  func serverTime(size: Int64) async throws {
    let entity = Entity(seed: 95, size: size)
    let origin = try Origin(
      entity: entity,
      behaviour: .correct.amending { $1.headers["Last-Modified"] = "Sun, 06 Nov 1994 08:49:37 GMT" })
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.keepsServerTime = true }
    #expect(fetched.success?.bytes == size, "\(fetched.result)")
    #expect(modified(directory.file("file.bin")) == 784_111_777)
    let again = try await fetch(origin.url, to: directory) { $0.keepsServerTime = true }
    #expect(again.success?.wasAlreadyComplete == true, "\(again.result)")
    let own = try await fetch(origin.url, to: directory, name: "own")
    #expect(own.success != nil)
    #expect(modified(directory.file("own")) > 1_700_000_000)
  }

  @Test("an existing file is replaced by a newer one only", arguments: [true, false])
  func conditional(isNewer: Bool) async throws {
    let date = isNewer ? "Sun, 06 Nov 2050 08:49:37 GMT" : "Sun, 06 Nov 1994 08:49:37 GMT"
    // What the origin says of itself changes with each request otherwise.
    let behaviour = Behaviour.correct.amending { exchange, answer in
      answer.headers["Last-Modified"] = date
      if !isNewer, exchange.request.headers["If-Modified-Since"] != nil {
        answer = OriginAnswer(status: 304, headers: ["Last-Modified": date])
      }
    }
    let origin = try Origin(entity: Self.entity, behaviour: behaviour)
    let directory = try TemporaryDirectory()
    try directory.write("old", to: "file.bin")
    let fetched = try await fetch(origin.url, to: directory) {
      $0.overwrites = true
      $0.replacesOlder = true
    }
    #expect(fetched.success?.wasAlreadyComplete == !isNewer, "\(fetched.result)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")) == isNewer)
    #expect(directory.names() == ["file.bin"])
    #expect(origin.log.requests.first?.headers["If-Modified-Since"]?.hasSuffix("GMT") == true)
    let refused = #expect(throws: DownloadError.self) {
      var options = DownloadOptions()
      options.replacesOlder = true
      _ = try Download(origin.url, to: .file(directory.file("file.bin")), options: options)
    }
    #expect(refused?.code == .usage)
  }

  @Test("space is reserved where that can be, and the file is the same", arguments: Allocation.allCases)
  func allocation(_ allocation: Allocation) async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.allocation = allocation }
    #expect(fetched.success?.bytes == Self.entity.size, "\(fetched.result)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    try directory.write("abc", to: "part")
    let file = LocalFile(FileDescriptor(owning: open(directory.file("part"), O_RDWR)))
    if try file.reserve(1 << 20) {
      #expect(try Int64(file.status().st_blocks) * 512 >= 1 << 20)
      #expect(try file.read(first: 3) == Array("abc".utf8))
    }
  }
}
