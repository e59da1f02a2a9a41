import TestSupport
import Testing

@testable import SheafCommand

@Suite("Ways of showing progress")
struct ProgressStyleTests {
  static let start = ContinuousClock.now

  /// What a report prints for progress at these seconds.
  static func prints(_ report: any Report, at seconds: [Int]) -> [[Print]] {
    var report = report
    _ = report.tell(.began(url: "http://h/"), of: 0, at: start)
    _ = report.tell(Samples.start(), of: 0, at: start)
    return seconds.map { report.tell(Samples.progress(Int64(100 * $0)), of: 0, at: start.advanced(by: .seconds($0))) }
  }

  static func text(summary: Duration?) -> TextReport {
    TextReport(count: 1, verbosity: .normal, showsProgress: false, summary: summary)
  }

  @Test("a summary comes once in each interval, as a sentence")
  func summary() {
    let prints = Self.prints(Self.text(summary: .seconds(2)), at: [0, 1, 2, 3, 4])
    #expect(prints.map(\.count) == [0, 0, 1, 0, 1])
    #expect(prints[2] == [.note("sheaf: big.iso: 20 %, 200 B of 1000 B, 99 B/s, 0:09 left, 4 connections")])
    #expect(Self.prints(Self.text(summary: nil), at: [0, 100]) == [[], []])
  }

  @Test("objects come beside the other news, once in each interval")
  func objects() {
    let report = ReportWithObjects(Self.text(summary: nil), every: .seconds(1))
    let prints = Self.prints(report, at: [0, 0, 1])
    #expect(prints.map(\.count) == [1, 0, 1])
    guard case .note(let line)? = prints[2].first else {
      Issue.record("no object")
      return
    }
    #expect(line.hasPrefix(#"{"event":"progress","download":1,"bytes":100,"total":1000,"#))
  }

  @Test("JSON can do without progress")
  func noObjects() {
    #expect(Self.prints(JSONReport(isVerbose: false, interval: nil), at: [0, 1]) == [[], []])
    #expect(Self.prints(JSONReport(isVerbose: false), at: [0, 1]).map(\.count) == [1, 1])
  }

  @Test("the log has all that a quiet run does not print")
  func logged() {
    var report = LoggedReport(TextReport(count: 1, verbosity: .quiet, showsProgress: false), count: 1)
    #expect(report.tellsDecisions)
    #expect(report.tell(.event(.decision("16 connections")), of: 0, at: Self.start) == [.log("sheaf: 16 connections")])
    #expect(
      report.tell(.event(.retrying(reason: "reset")), of: 0, at: Self.start) == [.log("sheaf: trying again: reset")])
    let ends = report.tell(.finished(Samples.result()), of: 0, at: Self.start)
    #expect(ends.last == .log("sheaf: complete: dir/big.iso"))
    #expect(ends.allSatisfy { if case .log = $0 { true } else { false } })
  }

  @Test("the command adds to its log, with the time and without secrets")
  func logFile() async throws {
    let origin = try Origin(entity: Entity(seed: 1, size: 1000))
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] {
      let run = try await runSheaf(
        ["-q", "-l", "log", "-H", "A: hunter2", "-o", name, origin.url + "?token=hunter2"], in: directory)
      #expect(run.status == .exited(0) && run.errors == "" && run.output == "", "\(run.errors)")
    }
    let log = String(decoding: try directory.read("log"), as: UTF8.self)
    let lines = log.split(separator: "\n")
    #expect(
      lines.contains { $0.hasSuffix("Z sheaf: complete: a") } && lines.contains { $0.hasSuffix("Z sheaf: complete: b") }
    )
    #expect(lines.allSatisfy { $0.prefix(20).contains("T") && $0.dropFirst(19).hasPrefix("Z ") }, "\(log)")
    #expect(!log.contains("hunter2"))
  }

  @Test("a log that cannot be written to is refused before anything is fetched", arguments: ["nowhere/log", "-", "."])
  func badLog(path: String) async throws {
    let origin = try Origin(entity: Entity(seed: 1, size: 1000))
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["-l", path, origin.url], in: directory)
    #expect(run.status == .exited(28) && run.errors.contains("log"), "\(run.errors)")
    #expect(origin.log.requests.isEmpty)
  }

  @Test("plain lines and objects go to standard error, where there is no terminal, too")
  func command() async throws {
    let entity = Entity(seed: 1, size: 3 << 20)
    let origin = try Origin(entity: entity, behaviour: .correct.rate(1 << 20))
    let directory = try TemporaryDirectory()
    async let plain = runSheaf(
      ["-x1", "--progress=plain", "--summary-interval=0.1", "-o", "a", origin.url], in: directory)
    async let objects = runSheaf(
      ["-x1", "--progress=json", "--summary-interval=0.1", "-o", "b", origin.url], in: directory)
    let (lines, json) = (try await plain, try await objects)
    #expect(lines.status == .exited(0) && lines.output == "a\n")
    #expect(lines.errors.contains(" of 3.0 MiB, "), "\(lines.errors)")
    #expect(json.status == .exited(0) && json.output == "b\n")
    #expect(json.errors.contains(#"{"event":"progress","download":1,"#) && !json.errors.contains(" of 3.0 MiB, "))
  }
}
