import SheafCore
import Testing

struct RetryAfterTests {
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let dateSeconds: Int64 = 784_111_777

  @Test(
    "reads seconds and clamps them to five minutes",
    arguments: [
      ("0", 0), ("1", 1), ("120", 120), ("300", 300), ("301", 300), ("1000000000", 300), ("007", 7),
      ("99999999999999999999999999", 300),
    ] as [(String, Int64)])
  func delta(text: String, seconds: Int64) {
    #expect(RetryAfter.seconds(parsing: text, date: nil, now: 0) == seconds)
  }

  @Test(
    "measures a date against the answer's own Date",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
      ("Mon, 07 Nov 1994 08:00:00 GMT", 300), ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:50:07 1994", 30),
    ] as [(String, Int64)])
  func date(text: String, seconds: Int64) {
    // Our clock is wrong by decades and does not matter.
    #expect(RetryAfter.seconds(parsing: text, date: Self.date, now: 1_700_000_000) == seconds)
  }

  @Test(
    "measures a date against our clock when the answer has no usable Date",
    arguments: [nil, "", "yesterday"] as [String?])
  func ownClock(date: String?) {
    let now = Self.dateSeconds - 5
    #expect(RetryAfter.seconds(parsing: Self.date, date: date, now: now) == 5)
    #expect(RetryAfter.seconds(parsing: Self.date, date: date, now: .max) == 0)
    #expect(RetryAfter.seconds(parsing: Self.date, date: date, now: .min) == 300)
  }

  @Test("makes nothing of garbage", arguments: ["", "-1", "+5", "1.5", "5s", "soon", " 5", "5, 6", "0x10", "٥", "NaN"])
  func garbage(text: String) {
    #expect(RetryAfter.seconds(parsing: text, date: Self.date, now: 0) == nil)
  }
}
