import TestSupport
import Testing

/// O-60, through the built command: names that a server or a URL would like a file to have.
@Suite("Names")
struct NameTests {
  private func origin(_ behaviours: [NamedBehaviour], at path: (Int, NamedBehaviour) -> String) throws -> Origin {
    let origin = try Origin()
    for (index, named) in behaviours.enumerated() {
      let entity = Entity(seed: UInt64(index + 1), size: 4096)
      origin.serve(entity, behaviour: named.behaviour(for: entity), at: path(index, named))
    }
    return origin
  }

  @Test("no Content-Disposition names a file")
  func dispositions() async throws {
    let all = NamedBehaviour.names.filter { $0.name.hasPrefix("content-disposition") }
    #expect(all.count >= 60)
    // A head with a NUL is refused whole.
    let usable = all.filter { $0.outcome == .file }
    let origin = try origin(usable) { index, _ in "/file\(index)" }
    let directory = try TemporaryDirectory()
    try directory.write(usable.indices.map { origin.url("/file\($0)") }.joined(separator: "\n"), to: "list")
    let run = try await runSheaf(["-i", "list"], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(directory.names() == (usable.indices.map { "file\($0)" } + ["list"]).sorted())
  }

  @Test("asked for, a Content-Disposition names a file, and none outside the directory")
  func askedFor() async throws {
    let all = NamedBehaviour.names.filter { $0.name.hasPrefix("content-disposition") && $0.outcome == .file }
    let origin = try origin(all) { index, _ in "/file\(index)" }
    let plain = Behaviour.correct.amending { _, answer in
      answer.headers["Content-Disposition"] = "attachment; filename=\"plain name.iso\""
    }
    origin.serve(Entity(seed: 99, size: 4096), behaviour: plain, at: "/download")
    let parent = try TemporaryDirectory()
    try parent.write("mine", to: "escape.bin")
    let urls = ["/download?id=1"] + all.indices.map { "/file\($0)" }
    let run = try await runSheaf(
      ["--content-disposition", "-d", "below/here"] + urls.map { origin.url($0) }, in: parent)
    // Most of them want the same name, which only the first one gets.
    #expect([.exited(0), .exited(13), .exited(11)].contains(run.status), "\(run.errors)")
    #expect(parent.names() == ["below", "escape.bin"])
    #expect(try parent.read("escape.bin") == Array("mine".utf8))
    #expect(TemporaryDirectory.names(in: parent.file("below")) == ["here"])
    let names = TemporaryDirectory.names(in: parent.file("below/here"))
    #expect(names.contains("plain name.iso"))
    #expect(names.allSatisfy { $0.utf8.count <= 249 && !$0.hasPrefix(".") && !$0.hasPrefix("-") && !$0.hasPrefix("~") })
  }

  @Test(
    "no URL names one outside the directory, hidden, or one that could drive a terminal",
    arguments: NamedBehaviour.names.filter { $0.name.hasPrefix("url-path") })
  func paths(named: NamedBehaviour) async throws {
    let origin = try origin([named]) { _, named in named.path }
    let parent = try TemporaryDirectory()
    try parent.write("mine", to: "escape.bin")
    let run = try await runSheaf(["-d", "below/here", origin.url(named.path)], in: parent)
    #expect(parent.names() == ["below", "escape.bin"])
    #expect(try parent.read("escape.bin") == Array("mine".utf8))
    guard run.status == .exited(0) else { return }
    let shown = run.output.dropLast()
    let name = try #require(shown.split(separator: "/").last)
    #expect(shown == "below/here/\(name)")
    #expect(name.utf8.count <= 249)
    #expect(!name.hasPrefix(".") && !name.hasPrefix("-") && !name.hasPrefix("~"))
    #expect(name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    // It never takes the place of what is there.
    let again = try await runSheaf(["-d", "below/here", "--no-continue", origin.url(named.path)], in: parent)
    #expect(again.errors.contains("already complete"), "\(again.errors)")
  }

  @Test(
    "an output name is put where it says, whatever its letters", arguments: ["\u{E9}t\u{E9}", "\u{301}x", "\u{1F4BE}"])
  func outputs(name: String) async throws {
    let entity = Entity(seed: 7, size: 4096)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["-d", "below/here", "-o", name, origin.url], in: directory)
    #expect(run.status == .exited(0), "\(run)")
    #expect(TemporaryDirectory.names(in: directory.file("below")) == ["here"])
    #expect(entity.matches(fileAt: directory.file("below/here") + "/" + name))
  }
}
