import Sheaf
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What may be somebody else's is refused before anything is asked for, and stays as it is.
@Suite("Files that may not be ours", .serialized)
struct OwnershipTests {
  static let entity = Entity(seed: 91, size: 12 << 20)

  enum Kind: String, CaseIterable, Sendable {
    case symbolicLink = "a symbolic link"
    case hardLink = "other names"
    case writable = "written by other users"
    case pipe = "not a regular file"
    case anotherUser = "another user"

    /// Making a file another's needs root.
    static var possible: [Kind] { geteuid() == 0 ? allCases : allCases.filter { $0 != .anotherUser } }

    func make(_ path: String, beside victim: String) -> Bool {
      switch self {
      case .symbolicLink: symlink("victim", path) == 0
      case .hardLink: link(victim, path) == 0
      case .writable: rename(victim, path) == 0 && chmod(path, 0o620) == 0
      case .pipe: mkfifo(path, 0o600) == 0
      case .anotherUser: rename(victim, path) == 0 && chown(path, 12_345, gid_t.max) == 0
      }
    }
  }

  @Test("a part file or a manifest", arguments: [".part", ".sheaf"], Kind.possible)
  func refused(suffix: String, kind: Kind) async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    try directory.write("precious", to: "victim")
    let path = directory.file("file.bin" + suffix)
    try #require(kind.make(path, beside: directory.file("victim")))
    // Of what is refused for its manifest, the part file stays as well.
    if suffix == ".sheaf" { try directory.write("hours of work", to: "file.bin.part") }
    if suffix == ".sheaf" { try #require(chmod(directory.file("file.bin.part"), 0o600) == 0) }
    let names = directory.names()
    let fetched = try await fetch(origin.url, to: directory)
    guard case .failure(let error) = fetched.result else {
      Issue.record("\(fetched.result)")
      return
    }
    #expect(error.code == .openFailed || error.code == .createFailed)
    #expect(error.message.contains("file.bin\(suffix)") && error.message.contains(kind.rawValue), "\(error)")
    #expect(error.suggestion?.contains("remove it") == true)
    #expect(directory.names() == names)
    if kind != .pipe {
      let kept = kind == .writable || kind == .anotherUser ? "file.bin" + suffix : "victim"
      #expect(try directory.read(kept) == Array("precious".utf8))
    }
    if suffix == ".sheaf" { #expect(try directory.read("file.bin.part") == Array("hours of work".utf8)) }
    #expect(origin.log.requests.isEmpty)
  }

  @Test("a link or a pipe under the target's name, even where overwriting is allowed", arguments: [false, true])
  func target(overwrites: Bool) async throws {
    let origin = try Origin(entity: Self.entity)
    for kind in [Kind.symbolicLink, .pipe] {
      let directory = try TemporaryDirectory()
      try directory.write("precious", to: "victim")
      try #require(kind.make(directory.file("file.bin"), beside: directory.file("victim")))
      let fetched = try await fetch(origin.url, to: directory) { $0.overwrites = overwrites }
      #expect(fetched.code == (overwrites ? .createFailed : .exists))
      #expect(directory.names() == ["file.bin", "victim"])
      #expect(try directory.read("victim") == Array("precious".utf8))
    }
    #expect(origin.log.requests.isEmpty)
  }

  @Test("a finished file that a crash left under the part file's name as well is known again")
  func secondName() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    _ = try await fetch(origin.url, to: directory)
    try #require(link(directory.file("file.bin"), directory.file("file.bin.part")) == 0)
    let again = try await fetch(origin.url, to: directory)
    #expect(again.success?.wasAlreadyComplete == true)
    #expect(directory.names() == ["file.bin"])
  }
}
