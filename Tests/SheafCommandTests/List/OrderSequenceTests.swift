import TestSupport
import Testing

@testable import SheafCommand

@Suite("The orders of a run")
struct OrderSequenceTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  func orders(_ arguments: [String], list: String? = nil) throws -> OrderSequence {
    let options = try fetchOptions(arguments + (list == nil ? [] : ["-i", "list"]))
    var file: ListFile?
    if let list {
      try directory.write(list, to: "list")
      file = try ListFile(directory.file("list"))
    }
    return OrderSequence(options, list: file)
  }

  static func all(_ sequence: OrderSequence) -> [String] {
    var sequence = sequence
    var urls: [String] = []
    while let order = sequence.next() { urls.append(order.url) }
    return urls
  }

  @Test("are the URLs, then the list's, each pattern in its place")
  func order() throws {
    let sequence = try orders(["-P", "http://h/[1-2]", "http://i/"], list: "http://l/{a,b}\nhttp://m/\n")
    #expect(Self.all(sequence) == ["http://h/1", "http://h/2", "http://i/", "http://l/a", "http://l/b", "http://m/"])
    // A copy of what nobody has read yet is a sequence of its own.
    #expect(Self.all(sequence).count == 6)
  }

  @Test("without being asked, nothing is a pattern")
  func noPatterns() throws {
    #expect(Self.all(try orders(["http://h/[1-2]{a,b}"])) == ["http://h/[1-2]{a,b}"])
  }

  @Test("shards of all of them share them out", arguments: [1, 2, 3])
  func shards(count: Int) throws {
    let list = (0..<5).map { "http://l/\($0)\n" }.joined()
    let parts = try (1...count).map { part in
      Self.all(try orders(["--shard=\(part)/\(count)", "-P", "http://h/[1-4]"], list: list))
    }
    #expect(Set(parts.joined()).count == 9 && parts.joined().count == 9)
    #expect(parts.allSatisfy { (9 / count...9 / count + 1).contains($0.count) })
  }

  @Test("a pattern on a line of a list names its files, and its mirrors go along")
  func listed() throws {
    var sequence = try orders(["-P"], list: "http://h/{a,b}\thttp://m/{c,d}\n out=#1.x\n")
    guard case .listed(let first)? = sequence.next(), case .listed(let second)? = sequence.next() else {
      Issue.record("no two orders")
      return
    }
    #expect(first.mirrors == ["http://m/c"] && second.mirrors == ["http://m/d"])
    #expect(try CommandOptions().applying(second).destination == .file("b.x"))
    #expect(sequence.next()?.url == nil)
  }

  @Test("mirrors with another number of places are a mistake of their line")
  func uneven() throws {
    var sequence = try orders(["-P"], list: "#\nhttp://h/{a,b}\thttp://m/c\n")
    guard case .mistaken(let problem)? = sequence.next() else {
      Issue.record("no mistake")
      return
    }
    #expect(problem.line == 2)
  }

  @Test("with -Z=false the URLs, and those of a pattern, are places of one file")
  func places() throws {
    let options = try fetchOptions(["--force-sequential=false", "-P", "http://{a,b}/f", "http://c/f"])
    #expect(options.urls == ["http://a/f"] && options.download.mirrors == ["http://b/f", "http://c/f"])
    #expect(throws: UsageError.self) { try fetchOptions(["--force-sequential=false", "-P", "http://h/[1-17]"]) }
    #expect(try fetchOptions(["-Z", "http://a/f", "http://b/f"]).download.mirrors == [])
  }

  @Test("an output name for a pattern needs the part's value")
  func output() throws {
    #expect(throws: UsageError.self) { try fetchOptions(["-P", "-o", "x", "http://h/[1-2]"]) }
    #expect(throws: UsageError.self) { try fetchOptions(["-o", "x#1", "http://h/1", "http://h/2"]) }
    #expect(try fetchOptions(["-P", "-o", "x", "http://h/[1-1]"]).output == "x")
  }
}
