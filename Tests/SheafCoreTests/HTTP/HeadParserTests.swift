import SheafCore
import Testing

struct HeadParserTests {
  /// All outcomes, or the first problem.
  private func outcomes(_ lines: [String]) -> Result<[HeadParser.Outcome], HeadParser.Problem> {
    var parser = HeadParser()
    var all: [HeadParser.Outcome] = []
    for line in lines {
      do throws(HeadParser.Problem) { all.append(try parser.consume(line: line.utf8)) } catch { return .failure(error) }
    }
    return .success(all)
  }

  /// The head that `lines` complete, if they do.
  private func completed(_ lines: [String]) -> ResponseHead? {
    guard case .success(let all) = outcomes(lines) else { return nil }
    for case .complete(let head) in all { return head }
    return nil
  }

  @Test(
    "reads a status line",
    arguments: [
      ("HTTP/1.1 206 Partial Content\r\n", 206), ("HTTP/1.0 200 OK\r\n", 200), ("HTTP/2 206 \r\n", 206),
      ("HTTP/2 206\r\n", 206), ("HTTP/3 404 \r\n", 404), ("HTTP/1.1 200\n", 200), ("HTTP/1.1 200 \n", 200),
      ("HTTP/1.1 206 G\u{FC}nstig: ja\r\n", 206), ("HTTP/1.1 599 x", 599), ("HTTP/1.1 999 x\r\n", 999),
    ])
  func statusLine(line: String, status: Int) {
    #expect(completed([line, "\r\n"])?.status == status)
  }

  @Test(
    "refuses a malformed status line",
    arguments: [
      "\r\n", "", "HTTP/1.1\r\n", "HTTP/1.1 \r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000\r\n", "HTTP/1.1 200OK\r\n",
      "HTTP/1.1  200 OK\r\n", "HTTP/1.1 +20 OK\r\n", "HTTP/1.1 099 x\r\n", "HTTP/1.1 000 x\r\n", "http/1.1 200 OK\r\n",
      "HTTP/ 200\r\n", "HTTP/1. 200\r\n", "HTTP/11 200\r\n", "HTTP/1.11 200\r\n", "ICY 200 OK\r\n", " HTTP/1.1 200\r\n",
      "HTTP/1.1\t200\r\n", "HTTP/1.1 ２００\r\n", "Content-Length: 5\r\n",
    ])
  func malformedStatusLine(line: String) {
    #expect(outcomes([line]) == .failure(.malformedStatusLine))
  }

  @Test("delivers the fields in order, with CRLF and LF alike")
  func fields() {
    let answer = completed(["HTTP/1.1 206 x\r\n", "A: 1\r\n", "b:2\n", "A:\t3 \r\n", "C:\r\n", "\r\n"])
    #expect(answer == head(206, "A:1", "b:2", "A:3", "C:"))
  }

  @Test(
    "tolerates what is odd in fields",
    arguments: [
      ([" folded: 1", "A: 2"], head(200, "A:2")),
      (["A: 1", " 2", "\t3"], head(200, "A:1 2 3")),
      (["A: 1", " \t", " "], head(200, "A:1")),
      (["A:", " ", " 2"], head(200, "A:2")),
      (["Content-Length: 1", " 2"], head(200, "Content-Length:1 2")),
      (["no colon", " folded", "A: 1"], head(200, "A:1")),
      (["A: 1", "no colon", " folded"], head(200, "A:1")),
      ([": nameless", "A: 1"], head(200, "A:1")),
      (["Content-Encoding : gzip"], head(200, "Content-Encoding:gzip")),
      (["A: b:c"], head(200, "A:b:c")),
      (["A: x\rB: y"], head(200, "A:x B: y")),
      (["A: x\u{0}y"], head(200, "A:x y")),
      (["A: \u{1B}[2J"], head(200, "A:\u{1B}[2J")),
      (["A: 日本"], head(200, "A:日本")),
      (["HTTP/1.1 200 OK"], head(200)),
    ])
  func oddFields(lines: [String], expected: ResponseHead) {
    #expect(completed(["HTTP/1.1 200 OK\r\n"] + lines.map { $0 + "\r\n" } + ["\r\n"]) == expected)
  }

  @Test("takes bytes that are not UTF-8 as Latin-1")
  func latin1() throws {
    var parser = HeadParser()
    _ = try parser.consume(line: "HTTP/1.1 200 OK\r\n".utf8)
    _ = try parser.consume(line: Array("A: ".utf8) + [0xFC, 0x80, 0x0D, 0x0A])
    #expect(try parser.consume(line: [0x0D, 0x0A]) == .complete(head(200, "A:\u{FC}\u{80}")))
  }

  @Test("drops informational heads whole")
  func informational() {
    let lines = ["HTTP/1.1 103 Early\r\n", "ETag: \"early\"\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n"]
    let expected: [HeadParser.Outcome] = [.more, .more, .informational, .more, .more, .complete(head(200, "A:1"))]
    #expect(outcomes(lines) == .success(expected))
  }

  @Test("does not continue a field of an informational head")
  func foldAfterInformational() {
    let lines = ["HTTP/1.1 103 Early\r\n", "A: 1\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", " 2\r\n", "\r\n"]
    #expect(completed(lines) == head(200))
  }

  @Test("ignores trailers and whatever else follows the final head")
  func trailers() {
    let lines = ["HTTP/1.1 200 OK\r\n", "\r\n", "ETag: \"late\"\r\n", "\r\n", "HTTP/1.1 206 x\r\n", "\r\n"]
    #expect(outcomes(lines) == .success([.more, .complete(head(200)), .more, .more, .more, .more]))
  }

  @Test("takes 100 informational heads and refuses the next")
  func informationalCap() {
    let early = ["HTTP/1.1 100 Continue\r\n", "\r\n"]
    let hundred = Array(repeating: early, count: 100).flatMap(\.self)
    #expect(completed(hundred + ["HTTP/1.1 200 OK\r\n", "\r\n"]) == head(200))
    #expect(outcomes(hundred + early) == .failure(.tooManyInformational))
  }

  @Test("takes 256 KiB and not a byte more, in one line or in many")
  func byteCap() {
    let frame = "HTTP/1.1 200 OK\r\nA: \r\n\r\n".utf8.count
    let longest = String(repeating: "x", count: 256 * 1024 - frame)
    #expect(completed(["HTTP/1.1 200 OK\r\n", "A: \(longest)\r\n", "\r\n"]) != nil)
    #expect(outcomes(["HTTP/1.1 200 OK\r\n", "A: \(longest)x\r\n", "\r\n"]) == .failure(.tooLong))
    let many = Array(repeating: "A: 1\r\n", count: 256 * 1024 / 6)
    #expect(outcomes(["HTTP/1.1 200 OK\r\n"] + many) == .failure(.tooLong))
  }

  @Test("counts informational heads and trailers to the same cap")
  func sharedCap() {
    let third = "A: " + String(repeating: "x", count: 90_000) + "\r\n"
    let lines = ["HTTP/1.1 103 x\r\n", third, "\r\n", "HTTP/1.1 200 x\r\n", third, "\r\n"]
    #expect(completed(lines) != nil)
    #expect(outcomes(lines + [third]) == .failure(.tooLong))
  }

  @Test("stays failed")
  func staysFailed() {
    var parser = HeadParser()
    for line in ["nonsense\r\n", "HTTP/1.1 200 OK\r\n", "\r\n"] {
      #expect(throws: HeadParser.Problem.malformedStatusLine) { try parser.consume(line: line.utf8) }
    }
  }

  @Test("never traps on random lines")
  func randomLines() {
    var numbers = SeededNumbers(seed: 1)
    let alphabet = Array("HTTP/1.1 206\r\n:\t A0\u{0}".utf8) + [0x80, 0xC3, 0xFF]
    for _ in 0..<2000 {
      var parser = HeadParser()
      _ = try? parser.consume(line: "HTTP/1.1 206 x\r\n".utf8)
      for _ in 0..<5 {
        let line = (0..<Int.random(in: 0...12, using: &numbers)).map { _ in alphabet.randomElement(using: &numbers) ?? 0
        }
        _ = try? parser.consume(line: line)
      }
    }
  }
}
