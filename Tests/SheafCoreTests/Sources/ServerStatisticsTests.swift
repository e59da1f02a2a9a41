import Testing

@testable import SheafCore

@Suite("Statistics of servers")
struct ServerStatisticsTests {
  private static let now: Int64 = 2_000_000_000

  private func server(_ name: String, port: Int = 443) -> Location.Origin {
    Location.Origin(scheme: "https", host: name, port: port)
  }

  /// Those named have been seen at these rates.
  private func statistics(_ rates: [String: Double]) -> ServerStatistics {
    var statistics = ServerStatistics()
    for (name, rate) in rates { statistics.succeeded(server(name), rate: rate, now: Self.now) }
    return statistics
  }

  @Test(
    "the user's order changes only for clear reasons",
    arguments: [
      ([:], "abc", "abc"), (["a": 100, "b": 150], "abc", "abc"), (["a": 100, "b": 200], "abc", "bac"),
      (["a": 100, "c": 900], "abc", "cba"), (["a": 10, "b": 6, "c": 15], "abc", "acb"), (["c": 900], "abc", "abc"),
      (["a": 1, "b": 2, "c": 4], "abc", "cba"), (["b": 1], "", ""),
    ] as [([String: Double], String, String)])
  func order(rates: [String: Double], given: String, expected: String) {
    let names = given.map(String.init)
    let ranked = statistics(rates).ranked(names.map { server($0) }, now: Self.now + 60)
    #expect(ranked.map { names[$0] }.joined() == expected)
  }

  @Test("one that failed comes last for an hour, unless it has served since")
  func failing() {
    var statistics = statistics(["a": 900, "b": 100])
    statistics.failed(server("a"), now: Self.now + 10)
    let servers = [server("a"), server("b"), server("c")]
    #expect(statistics.ranked(servers, now: Self.now + 20) == [1, 2, 0])
    #expect(statistics.ranked(servers, now: Self.now + 10 + ServerStatistics.patience) == [0, 1, 2])
    statistics.succeeded(server("a"), rate: nil, now: Self.now + 30)
    #expect(statistics.ranked(servers, now: Self.now + 40) == [0, 1, 2])
  }

  @Test("after a week, or when the clock has gone back, nothing counts")
  func expiry() {
    let statistics = statistics(["a": 1, "b": 100])
    let servers = [server("a"), server("b")]
    #expect(statistics.ranked(servers, now: Self.now + ServerStatistics.lifetime) == [1, 0])
    #expect(statistics.ranked(servers, now: Self.now + ServerStatistics.lifetime + 1) == [0, 1])
    #expect(statistics.ranked(servers, now: Self.now - 1) == [0, 1])
  }

  @Test("a rate is an average, and one that makes no sense is none")
  func rates() {
    var statistics = statistics(["a": 100])
    statistics.succeeded(server("a"), rate: 300, now: Self.now)
    #expect(statistics.entries[server("a")]?.rate == 200)
    for rate in [0, -1, .nan, .infinity, 1e300] { statistics.succeeded(server("a"), rate: rate, now: Self.now) }
    #expect(statistics.entries[server("a")]?.rate == 200)
  }

  @Test("the oldest of too many is forgotten, and the text has them all")
  func bounds() throws {
    var statistics = ServerStatistics()
    for index in 0...ServerStatistics.mostEntries {
      statistics.succeeded(server("h", port: index + 1), rate: 5, now: Self.now + Int64(index))
    }
    #expect(statistics.entries.count == ServerStatistics.mostEntries)
    #expect(statistics.entries[server("h", port: 1)] == nil)
    let read = ServerStatistics(parsing: Array(statistics.text.utf8), now: Self.now + 2000)
    #expect(read == statistics)
  }

  @Test("the text is what the documentation says")
  func text() {
    var statistics = statistics(["a.example": 1000.4])
    statistics.failed(server("[::1]", port: 8443), now: Self.now + 1)
    #expect(
      statistics.text
        == "sheaf-servers 1\nhttps\t[::1]\t8443\t-\t-\t2000000001\nhttps\ta.example\t443\t1000\t2000000000\t-\n")
  }

  @Test("a text of another kind says nothing", arguments: ["", "\n", "sheaf-servers 2\n", "sheaf-servers", "x\ty"])
  func others(text: String) {
    let read = ServerStatistics(parsing: Array(text.utf8), now: Self.now)
    #expect(read == nil)
  }

  @Test(
    "lines that make no sense are left out",
    arguments: [
      "", "https", "https\ta\t443\t1\t2000000000", "https\ta\t443\t1\t2000000000\t-\tx",
      "ftp\ta\t443\t1\t2000000000\t-",
      "https\t\t443\t1\t2000000000\t-", "https\ta\t0\t1\t2000000000\t-", "https\ta\t65536\t1\t2000000000\t-",
      "https\ta\t443\t0\t2000000000\t-", "https\ta\t443\t-1\t2000000000\t-", "https\ta\t443\t1e3\t2000000000\t-",
      "https\ta\t443\t9223372036854775807\t2000000000\t-", "https\ta\t443\t99999999999999999999\t2000000000\t-",
      "https\ta\t443\t1\t-\t-", "https\ta\t443\t1\t9223372036854775807\t-", "https\ta\t443\t1\t1\t-",
      "https\tA\t443\t1\t2000000000\t-", "https\ta b\t443\t1\t2000000000\t-", "https\t\u{E9}\t443\t1\t2000000000\t-",
      "https\t\(String(repeating: "a", count: 256))\t443\t1\t2000000000\t-",
    ])
  func nonsense(line: String) throws {
    let text = "sheaf-servers 1\n\(line)\nhttp\tb\t80\t7\t2000000000\t-\n"
    let read = try #require(ServerStatistics(parsing: Array(text.utf8), now: Self.now))
    #expect(read.entries.keys.map(\.host) == ["b"])
  }

  @Test("any bytes are read without harm, and what is read is written and read again")
  func noise() {
    var random = SeededNumbers(seed: 97)
    let heading = Array("sheaf-servers 1\nhttps\ta\t443\t1\t2000000000\t-\n".utf8)
    for _ in 0..<2000 {
      var bytes = heading
      for _ in 0..<4 {
        bytes[Int.random(in: 16..<bytes.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
      }
      guard let read = ServerStatistics(parsing: bytes, now: Self.now) else { continue }
      let again = ServerStatistics(parsing: Array(read.text.utf8), now: Self.now)
      #expect(again == read)
    }
  }
}
