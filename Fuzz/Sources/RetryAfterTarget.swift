import SheafCore

/// F9. Retry-After, and the dates in it, against a calendar that counts day by day.
func fuzzRetryAfter(_ input: Input) {
  var input = input
  let now = Int64(truncatingIfNeeded: input.number(bytes: 5))
  let lines = input.lines
  let date = lines.count > 1 ? lines[1] : nil
  if let wait = RetryAfter.seconds(parsing: lines[0], date: date, now: now) {
    require((0...300).contains(wait), "waits \(wait) s")
  }
  for text in lines.prefix(2) {
    for reference in [nil, now] {
      guard let seconds = HTTPDate.secondsSinceEpoch(parsing: text, now: reference) else { continue }
      let words = CivilTime(seconds)
      require((0...10_000).contains(words.year), "'\(text)' is in the year \(words.year)")
      // The leap second at the end of the year 9999: the next one has no four digits.
      guard words.year < 10_000 else { continue }
      require(HTTPDate.secondsSinceEpoch(parsing: words.fixdate) == seconds, "'\(text)' is not '\(words.fixdate)'")
      // A leap second belongs to the next minute; everything else of a four-digit year comes back as it was.
      guard !text.contains(":60"), text.hasSuffix(" GMT"), text.utf8.count == words.fixdate.utf8.count else { continue }
      require(text.utf8.dropFirst(4).elementsEqual(words.fixdate.utf8.dropFirst(4)), "'\(text)' is '\(words.fixdate)'")
    }
  }
}

/// Date and time of day, found by walking through the years and months.
private struct CivilTime {
  private(set) var year: Int64 = 0
  private var month = 0
  private var day: Int64
  private let time: Int64

  init(_ seconds: Int64) {
    // From year 0, a leap year; 719,528 days before 1970.
    let days = Int64((Double(seconds) / 86_400).rounded(.down))
    time = seconds - days * 86_400
    day = days + 719_528
    while day >= Self.days(in: year) {
      day -= Self.days(in: year)
      year += 1
    }
    while day >= Self.days(in: month, of: year) {
      day -= Self.days(in: month, of: year)
      month += 1
    }
  }

  private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
  private static func days(in year: Int64) -> Int64 { isLeap(year) ? 366 : 365 }
  private static func days(in month: Int, of year: Int64) -> Int64 {
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
  }

  /// With `Mon` as the day of the week: nobody looks at it.
  var fixdate: String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "Mon, \(digits(day + 1, 2)) \(months[month]) \(digits(year, 4)) "
      + "\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2)) GMT"
  }

  private func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
