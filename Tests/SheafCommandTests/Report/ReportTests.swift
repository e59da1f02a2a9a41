import Sheaf
import Testing

@testable import SheafCommand

@Suite("The JSON report")
struct JSONReportTests {
  let now = ContinuousClock.now

  func lines(_ news: News, isVerbose: Bool = false) -> [Print] {
    var report = JSONReport(isVerbose: isVerbose)
    return report.tell(news, of: 1, at: now)
  }

  @Test("writes each event as documented")
  func events() {
    #expect(
      lines(Samples.start()) == [
        .result(
          #"{"event":"start","download":2,"url":"http://h/big.iso","path":"dir/big.iso","total":1000,"resumed_bytes":0,"identity":"strong"}"#
        )
      ])
    #expect(
      lines(Samples.progress(5, total: nil)) == [
        .passing(
          #"{"event":"progress","download":2,"bytes":5,"total":null,"bytes_per_second":100,"connections":4}"#)
      ])
    #expect(lines(.event(.retrying(reason: "r"))) == [.result(#"{"event":"retry","download":2,"reason":"r"}"#)])
    #expect(lines(.event(.warning("w"))) == [.result(#"{"event":"warning","download":2,"message":"w"}"#)])
    #expect(lines(.event(.decision("d"))) == [])
    #expect(
      lines(.event(.decision("d")), isVerbose: true) == [.result(#"{"event":"decision","download":2,"message":"d"}"#)])
    #expect(
      lines(.finished(Samples.result(resumed: 6 << 20))) == [
        .result(
          #"{"event":"complete","download":2,"path":"dir/big.iso","bytes":268435456,"seconds":2.1,"identity":"strong","verified":["sha-256"],"checks":[{"algorithm":"sha-256","strength":"integrity","source":null}],"fetched_bytes":262144000,"resumed_bytes":6291456,"wasted_bytes":65536,"connections_peak":16,"waiting_share":0.018,"limits":["the line","the moon"],"sources":[]}"#
        )
      ])
    #expect(
      lines(.failed(Samples.error(.notFound, "gone", "look elsewhere"), url: "http://u:p@h/b?k=secret#f")) == [
        .result(
          #"{"event":"error","download":2,"url":"http://h/b","code":3,"name":"not-found","message":"gone","suggestion":"look elsewhere"}"#
        )
      ])
  }

  @Test("says already_complete only when it is so")
  func alreadyComplete() {
    guard case .result(let line) = lines(.finished(Samples.result(alreadyComplete: true))).first else {
      Issue.record("no line")
      return
    }
    #expect(line.hasSuffix(#","already_complete":true}"#))
  }

  @Test("says how to continue what was stopped")
  func interrupted() {
    for news in [
      News.failed(Samples.error(.interrupted, "stopped", howToContinue), url: "http://h/a"),
      .notStarted(url: "http://h/a"),
      .restNotStarted("the rest of urls.txt"),
    ] {
      guard case .result(let line) = lines(news).first else {
        Issue.record("no line")
        continue
      }
      #expect(line.contains(#""code":7,"name":"interrupted""#) && line.contains(howToContinue))
    }
  }

  @Test("writes progress at most ten times a second for each download")
  func throttled() {
    var report = JSONReport(isVerbose: false)
    let counts = (0..<2000).reduce(into: [0, 0]) { counts, step in
      counts[step % 2] += report.tell(Samples.progress(1), of: step % 2, at: now + .milliseconds(step / 2)).count
    }
    #expect(counts == [10, 10])
  }
}

@Suite("The report for people")
struct TextReportTests {
  let now = ContinuousClock.now

  func report(
    _ verbosity: CommandOptions.Verbosity = .normal, count: Int? = 1, showsProgress: Bool = false
  ) -> TextReport {
    TextReport(count: count, verbosity: verbosity, showsProgress: showsProgress)
  }

  @Test("sums a download up in one line and gives the path on standard output")
  func finished() {
    var report = report()
    #expect(report.tell(Samples.start(), of: 0, at: now) == [])
    #expect(report.tell(Samples.progress(5), of: 0, at: now) == [])
    #expect(
      report.tell(.finished(Samples.result()), of: 0, at: now) == [
        .message("sheaf: big.iso: 256 MiB in 2.1 s (122 MiB/s), 16 connections, identity strong, verified sha-256"),
        .result("dir/big.iso"),
      ])
  }

  @Test("explains what limited it when asked, and what it cost when verbose")
  func explained() {
    var report = TextReport(count: 1, verbosity: .quiet, explains: true, showsProgress: false)
    #expect(
      report.tell(.finished(Samples.result()), of: 0, at: now)
        == [.message("sheaf: limited by the line; then by the moon")])
    report = TextReport(count: 1, verbosity: .verbose, explains: true, showsProgress: false)
    let told = report.tell(.finished(Samples.result()), of: 0, at: now)
    #expect(
      told.first
        == .message("sheaf: connections waited 1.8 % of their time for answers, 64.0 KiB came for nothing"))
    #expect(told.contains(.message("sheaf: limited by the line; then by the moon")))
    #expect(told.last == .result("dir/big.iso"))
    report = TextReport(count: 1, verbosity: .quiet, explains: true, showsProgress: false)
    #expect(
      report.tell(.finished(Samples.result(alreadyComplete: true)), of: 0, at: now)
        == [.message("sheaf: nothing was fetched")])
  }

  @Test("says what was kept and what was there already")
  func kept() {
    #expect(
      summary(of: Samples.result(resumed: 100 << 20, checks: []))
        == "big.iso: 256 MiB in 2.1 s (74.3 MiB/s), 100 MiB of it kept from an earlier run, 16 connections, identity strong"
    )
    #expect(
      summary(of: Samples.result(alreadyComplete: true, checks: []))
        == "big.iso: already complete, 256 MiB, nothing fetched, identity strong")
  }

  @Test("says what was compared, where it came from, and what it is worth")
  func checks() throws {
    let checks = [
      DigestCheck(.sha256, source: "Repr-Digest of h"), DigestCheck(.crc32, source: "x-amz-checksum-crc32 of h"),
    ]
    let result = Samples.result(checks: checks)
    #expect(result.verified == ["sha-256"])
    #expect(
      summary(of: result).hasSuffix(
        "verified sha-256 (Repr-Digest of h), transport check crc32 (x-amz-checksum-crc32 of h)"))
    #expect(summary(of: Samples.result(checks: [DigestCheck(.md5, source: nil)])).hasSuffix("verified md5"))
    var report = JSONReport(isVerbose: false)
    let told = report.tell(.finished(result), of: 0, at: .now)
    guard case .result(let line) = try #require(told.first) else { return #expect(Bool(false), "\(told)") }
    #expect(
      line.contains(#"{"algorithm":"crc32","strength":"transport","source":"x-amz-checksum-crc32 of h"}"#))
  }

  @Test("says what failed, then what to try")
  func failed() {
    var report = report()
    #expect(
      report.tell(.failed(Samples.error(.notFound, "no such file", "check the URL"), url: "http://h/a"), of: 0, at: now)
        == [.message("sheaf: error: no such file; check the URL")])
    #expect(
      report.tell(.failed(Samples.error(.interrupted, "stopped", howToContinue), url: "http://h/a"), of: 0, at: now)
        == [.message("sheaf: error: stopped; run the same command again to continue")])
  }

  @Test("tells several downloads apart")
  func several() {
    var report = report(count: 2)
    _ = report.tell(.began(url: "http://u:p@h/a?k=v"), of: 0, at: now)
    _ = report.tell(.began(url: "http://h/b"), of: 1, at: now)
    _ = report.tell(Samples.start(), of: 1, at: now)
    #expect(
      report.tell(.failed(Samples.error(.network, "reset"), url: "http://u:p@h/a?k=v"), of: 0, at: now)
        == [.message("sheaf: error: http://h/a: reset")])
    #expect(report.tell(.event(.warning("w")), of: 1, at: now) == [.message("sheaf: warning: big.iso: w")])
    #expect(
      report.tell(.notStarted(url: "http://h/c"), of: 2, at: now)
        == [.message("sheaf: error: http://h/c: stopped before it began; run the same command again to continue")])
  }

  @Test("prints nothing but errors when quiet, and decisions when verbose")
  func verbosity() {
    let news = [
      Samples.start(), .event(.decision("d")), .event(.retrying(reason: "r")), .event(.warning("w")),
      .finished(Samples.result()),
    ]
    var quiet = report(.quiet, showsProgress: true)
    #expect(news.flatMap { quiet.tell($0, of: 0, at: now) } == [])
    #expect(quiet.tell(.failed(Samples.error(.network, "n"), url: "http://h/a"), of: 0, at: now).count == 1)
    var verbose = report(.verbose)
    #expect(news.flatMap { verbose.tell($0, of: 0, at: now) }.count == 6)
  }

  @Test("draws progress on a terminal and removes it at the end")
  func progress() {
    var report = report(showsProgress: true)
    #expect(report.tell(Samples.start(resumed: 10), of: 0, at: now).count == 1)
    #expect(report.tell(Samples.progress(100), of: 0, at: now) == [])
    guard case .progress(let line?)? = report.tell(Samples.progress(500), of: 0, at: now + .seconds(1)).first else {
      Issue.record("no line")
      return
    }
    #expect(line.name == "big.iso" && line.bytes == 500 && line.total == 1000 && line.connections == 4)
    #expect(report.tell(.finished(Samples.result()), of: 0, at: now).first == .progress(nil))
  }

  @Test("adds up several downloads, with a total once each length is known")
  func total() {
    var total = TotalProgress(count: 3)
    _ = total.note(Samples.start(total: 100), of: 0, name: "a")
    _ = total.note(Samples.progress(50, total: 100), of: 0, name: "a")
    #expect(total.line(at: now)?.total == nil)
    _ = total.note(Samples.start(total: .max), of: 1, name: "b")
    _ = total.note(.failed(Samples.error(.network, ""), url: ""), of: 2, name: "c")
    let line = total.line(at: now + .seconds(1))
    #expect(line?.total == .max && line?.bytes == 50 && line?.name == "1 of 3 files")
  }

  @Test("counts files where nobody knows how many there will be", arguments: [nil, 100])
  func manyDownloads(count: Int?) {
    var report = report(count: count, showsProgress: true)
    _ = report.tell(.began(url: "http://h/a"), of: 0, at: now)
    _ = report.tell(Samples.start(), of: 0, at: now)
    #expect(report.tell(.finished(Samples.result()), of: 0, at: now).contains(.result("dir/big.iso")))
    _ = report.tell(.began(url: "http://h/b"), of: 1, at: now)
    guard case .progress(let line?)? = report.tell(Samples.progress(5), of: 1, at: now + .seconds(1)).last else {
      Issue.record("no line")
      return
    }
    #expect(line.name == (count == nil ? "1 files" : "1 of 100 files") && line.total == nil)
    _ = report.tell(.failed(Samples.error(.network, "n"), url: "http://h/b"), of: 1, at: now)
    // One line for all instead of one for each.
    #expect(
      report.close(at: now + .seconds(2)) == [
        .progress(nil), .message("sheaf: 1 file complete, 256 MiB fetched in 2.0 s (128 MiB/s), 1 failed"),
      ])
  }

  @Test("keeps nothing of downloads that have ended")
  func memory() {
    var report = report(count: nil, showsProgress: true)
    for index in 0..<10_000 {
      _ = report.tell(.began(url: "http://h/\(index)"), of: index, at: now)
      _ = report.tell(Samples.start(), of: index, at: now)
      _ = report.tell(.finished(Samples.result()), of: index, at: now)
    }
    let names = Mirror(reflecting: report).children.first { $0.label == "names" }?.value
    #expect(names.map { Mirror(reflecting: $0).children.count } == 0)
  }
}
