import Sheaf
import Testing

@testable import SheafCommand

@Suite("aria2's console")
struct Aria2ReportTests {
  static let now = ContinuousClock.now

  static func progress(_ bytes: Int64, _ total: Int64?, _ rate: Double, _ connections: Int) -> News {
    .event(
      .progress(DownloadEvent.Progress(bytes: bytes, total: total, bytesPerSecond: rate, connections: connections)))
  }

  static func readout(_ news: [(News, Int)]) -> String? {
    var report = Aria2Report(isQuiet: false, showsReadout: true, every: .zero)
    var last: [Print] = []
    for (one, index) in news { last = report.tell(one, of: index, at: now) }
    if case .passing(let line) = last.first { return line }
    return nil
  }

  @Test("has the line that scripts read")
  func line() {
    let news = [(News.began(url: "http://h/"), 0), (Self.progress(409_600, 34_812_723, 118_476.8, 1), 0)]
    #expect(Self.readout(news) == "[#000001 400.0KiB/33.2MiB(1%) CN:1 DL:115.7KiB ETA:4m51s]")
  }

  @Test("has no percentage and no time where the length is not known")
  func unknown() {
    #expect(Self.readout([(Self.progress(512, nil, 0, 2), 0)]) == "[#000001 512B/0B CN:2 DL:0B]")
  }

  @Test("shows five of several, and how many more there are")
  func several() {
    let news = (0..<7).map { (Self.progress(1024, 2048, 1024, 1), $0) }
    let line = Self.readout(news) ?? ""
    #expect(line.hasPrefix("[DL:7.0KiB][#000001 1.0KiB/2.0KiB(50%)][#000002 "))
    #expect(line.hasSuffix("(50%)](+2)") && line.split(separator: "#").count == 6)
  }

  @Test("says nothing when quiet, but errors with their number")
  func quiet() {
    var report = Aria2Report(isQuiet: true, showsReadout: true)
    #expect(report.tell(Self.progress(1, 2, 3, 4), of: 0, at: Self.now) == [])
    #expect(report.tell(.finished(Samples.result()), of: 0, at: Self.now) == [])
    let lines = report.tell(
      .failed(Samples.error(.notFound, "gone"), url: "http://u:p@h/f?secret"), of: 0, at: Self.now)
    #expect(lines.contains(.message("errorCode=3 gone")))
    #expect(!"\(lines)".contains("secret") && !"\(lines)".contains("u:p"))
  }
}
