import SheafCore
import Testing

struct HTTPDateTests {
  @Test(
    "reads the three forms",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Sat, 29 Feb 2020 12:00:00 GMT", 1_582_977_600),
      ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Wed Feb 13 23:31:30 2009", 1_234_567_890),
      ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Mon, 01 Mar 1900 00:00:00 GMT", -2_203_891_200),
      ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
      ("Tuesday, 31-Dec-69 00:00:00 GMT", 3_155_673_600),
    ] as [(String, Int64)])
  func wellFormed(text: String, seconds: Int64) {
    #expect(HTTPDate.secondsSinceEpoch(parsing: text) == seconds)
  }

  @Test(
    "refuses what is none of them",
    arguments: [
      "", "0", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 06 nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
      "06 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
      "Mon, 29 Feb 1900 08:49:37 GMT", "Fri, 29 Feb 2019 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
      "Sun, 06 Nov  1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
      "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  06 08:49:37 1994",
      "Sun Nov 06 08:49:37 94", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37 GMT, again",
      "1994-11-06T08:49:37Z", "Sun, ٠٦ Nov 1994 08:49:37 GMT",
    ])
  func malformed(text: String) {
    #expect(HTTPDate.secondsSinceEpoch(parsing: text) == nil)
  }

  @Test(
    "places a two-digit year not more than 50 years ahead",
    arguments: [
      // In 2026 the last year within reach is 2076.
      ("Monday, 01-Jan-76 00:00:00 GMT", 1_767_225_600, 3_345_062_400),
      ("Monday, 01-Jan-77 00:00:00 GMT", 1_767_225_600, 220_924_800),
      ("Monday, 02-Jan-76 00:00:00 GMT", 1_767_225_600, 189_388_800),
      ("Monday, 01-Jan-25 00:00:00 GMT", 1_767_225_600, 1_735_689_600),
      // Seen from 1999, 05 is 2005 and 60 is 1960.
      ("Monday, 01-Jan-05 00:00:00 GMT", 915_148_800, 1_104_537_600),
      ("Monday, 01-Jan-60 00:00:00 GMT", 915_148_800, -315_619_200),
    ] as [(String, Int64, Int64)])
  func twoDigitYear(text: String, now: Int64, seconds: Int64) {
    #expect(HTTPDate.secondsSinceEpoch(parsing: text, now: now) == seconds)
  }

  @Test("goes through the calendar day by day without a gap")
  func calendar() {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var expected: Int64?
    var days = 0
    for year in 1896...2105 {
      for month in months {
        for day in 1...31 {
          let text = "Sun, \(day < 10 ? "0" : "")\(day) \(month) \(year) 00:00:00 GMT"
          guard let seconds = HTTPDate.secondsSinceEpoch(parsing: text) else { continue }
          if let expected, seconds != expected { Issue.record("\(text) is \(seconds), not \(expected)") }
          expected = seconds + 86_400
          days += 1
        }
      }
    }
    #expect(days == 210 * 365 + 51)
  }

  @Test(
    "writes what it reads",
    arguments: Array(stride(from: -62_000_000_000 as Int64, through: 250_000_000_000, by: 86_399_999_9)))
  func text(seconds: Int64) throws {
    let text = try #require(HTTPDate.text(secondsSinceEpoch: seconds))
    #expect(HTTPDate.secondsSinceEpoch(parsing: text) == seconds)
  }

  @Test("writes the day of the week, and no year of five digits")
  func weekday() {
    #expect(HTTPDate.text(secondsSinceEpoch: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(secondsSinceEpoch: -1) == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(HTTPDate.text(secondsSinceEpoch: .max / 4) == nil)
  }
}
