import TestSupport
import Testing

@testable import SheafCommand

@Suite("Downloads that a Metalink document describes")
struct MetalinkCommandTests {
  private static let mebi: Int64 = 1 << 20
  let directory: TemporaryDirectory
  let origin: Origin
  let big = Entity(seed: 91, size: 24 << 20)
  let small = Entity(seed: 92, size: 12_345)

  init() throws {
    directory = try TemporaryDirectory()
    origin = try Origin()
    origin.serve(big, at: "/big")
    origin.serve(small, at: "/small")
  }

  static func document(_ files: String) -> String {
    "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\(files)</metalink>"
  }

  /// What a document says of a file, all of it true.
  private func file(_ name: String, _ entity: Entity, size: Int64? = nil, _ urls: [String]) -> String {
    let count = (entity.size - 1) / Self.mebi + 1
    let pieces = (0..<count).map { index in
      let range = index * Self.mebi..<min(entity.size, (index + 1) * Self.mebi)
      return "<hash>\(hexadecimal(entity.sha256(of: range)))</hash>"
    }
    let sources = urls.enumerated().map { "<url priority=\"\($0.offset + 1)\">\($0.element)</url>" }
    return """
      <file name="\(name)"><size>\(size ?? entity.size)</size>
      <hash type="md5">00000000000000000000000000000000</hash>
      <hash type="sha-256">\(hexadecimal(entity.sha256()))</hash>
      <pieces length="\(Self.mebi)" type="sha-256">\(pieces.joined())</pieces>\(sources.joined())</file>
      """
  }

  @Test("two files, from mirrors one of which is dead and one wrong", arguments: [["-M", "x.meta4"], ["x.meta4"]])
  func files(arguments: [String]) async throws {
    let wrong = try Origin(entity: Entity(seed: 93, size: big.size), behaviour: .correct.rate(4 << 20))
    let dead = "http://127.0.0.1:\(try LoopbackSocket.freePort())/big"
    origin.serve(big, behaviour: .correct.rate(4 << 20), at: "/big")
    let sources = [dead, origin.url("/big"), wrong.url, "ftp://127.0.0.1/big"]
    let text = file("one.iso", big, sources) + file("two.txt", small, [origin.url("/small")])
    try directory.write(Self.document(text), to: "x.meta4")
    let run = try await runSheaf(["--fsync-policy=off", "-d", "here"] + arguments, in: directory)
    #expect(run.status == .exited(0), "\(run)")
    #expect(Set(run.output.split(separator: "\n")) == ["here/one.iso", "here/two.txt"])
    #expect(directory.names() == ["here", "x.meta4"])
    #expect(TemporaryDirectory.names(in: directory.file("here")) == ["one.iso", "two.txt"])
    #expect(big.matches(fileAt: directory.file("here/one.iso")))
    #expect(small.matches(fileAt: directory.file("here/two.txt")))
  }

  @Test("the only file of a document takes the name of -o, and the user's own digest counts instead of the document's")
  func single() async throws {
    try directory.write(Self.document(file("a", small, [origin.url("/small")])), to: "a.metalink")
    let wrong = "--checksum=sha-256=\(String(repeating: "1", count: 64))"
    let refuted = try await runSheaf(["a.metalink", wrong], in: directory)
    #expect(refuted.status == .exited(32), "\(refuted)")
    let run = try await runSheaf(["a.metalink", "-o", "named", "--no-continue"], in: directory)
    #expect(run.status == .exited(0) && run.output == "named\n", "\(run)")
    #expect(small.matches(fileAt: directory.file("named")))
    let sent = origin.log.bytesSent
    let again = try await runSheaf(["a.metalink", "-o", "named"], in: directory)
    #expect(again.status == .exited(0) && again.errors.contains("already complete"), "\(again)")
    #expect(origin.log.bytesSent == sent)
  }

  @Test("after the URLs of the command line come those of documents, then those of a list")
  func together() async throws {
    try directory.write(Self.document(file("a", small, [origin.url("/small")])), to: "a.meta4")
    try directory.write("\(origin.url("/big"))\n out=b\n", to: "list")
    let run = try await runSheaf(["-j1", "-i", "list", "a.meta4", origin.url("/small")], in: directory)
    #expect(run.status == .exited(0) && run.output == "small\na\nb\n", "\(run)")
  }

  @Test("a file of another length or digest than the document says is not handed over", arguments: ["size", "digest"])
  func wrong(what: String) async throws {
    let other = what == "size" ? Entity(seed: 94, size: small.size + 1) : Entity(seed: 95, size: small.size)
    origin.serve(other, at: "/small")
    try directory.write(Self.document(file("a", small, [origin.url("/small")])), to: "a.meta4")
    let run = try await runSheaf(["a.meta4"], in: directory)
    #expect(run.status == .exited(what == "size" ? 22 : 32), "\(run)")
    #expect(run.output.isEmpty && !directory.names().contains("a"), "\(directory.names())")
  }

  @Test("two downloads that would write one file are refused before anything is started")
  func targets() async throws {
    let one = file("small", small, [origin.url("/small")])
    try directory.write(Self.document(one), to: "a.meta4")
    try directory.write(Self.document(one), to: "b.meta4")
    try directory.write(Self.document(one + file("small.part", small, [origin.url("/big")])), to: "part.meta4")
    try directory.write("\(origin.url("/small"))\n", to: "list")
    for arguments in [["a.meta4", "-M", "b.meta4"], ["a.meta4", origin.url("/small")], ["part.meta4"]] {
      let run = try await runSheaf(arguments, in: directory)
      #expect(run.status == .exited(28) && run.errors.contains("two downloads would be written to 'small"), "\(run)")
    }
    let list = try await runSheaf(["a.meta4", "-i", "list"], in: directory)
    #expect(list.status == .exited(28) && list.errors.contains("list:1: "), "\(list)")
    #expect(origin.log.requests.isEmpty)
    #expect(directory.names() == ["a.meta4", "b.meta4", "list", "part.meta4"])
  }

  @Test("what is meant for one file does not go with two, and header fields with none")
  func options() async throws {
    let text = file("a", small, [origin.url("/small")]) + file("b", small, [origin.url("/small")])
    try directory.write(Self.document(text), to: "x.meta4")
    let digest = "--checksum=sha-256=\(hexadecimal(small.sha256()))"
    for arguments in [["-o", "c"], [digest], ["--mirror", origin.url("/big")], ["-H", "Authorization: Bearer hush"]] {
      let run = try await runSheaf(arguments + ["x.meta4"], in: directory)
      #expect(run.status == .exited(28) && !run.errors.contains("hush"), "\(run)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run)")
    }
    #expect(origin.log.requests.isEmpty && directory.names() == ["x.meta4"])
  }

  @Test("one bad document of two: 20, and nothing of the other is started")
  func unreadable() async throws {
    try directory.write(Self.document(file("a", small, [origin.url("/small")])), to: "a.meta4")
    try directory.write("<html/>", to: "page.meta4")
    for (path, reason) in [
      ("page.meta4", "is no Metalink document"), ("missing.meta4", "No such file"), (".", "is not a regular file"),
    ] {
      let run = try await runSheaf(["a.meta4", "-M", path], in: directory)
      #expect(run.status == .exited(20) && run.errors.contains("the Metalink document '\(path)'"), "\(run)")
      #expect(run.errors.contains(reason) && run.errors.split(separator: "\n").count == 1, "\(run)")
    }
    #expect(origin.log.requests.isEmpty && directory.names() == ["a.meta4", "page.meta4"])
  }
}
