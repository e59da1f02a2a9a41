/// Dates as RFC 9110 §5.6.7 writes them: IMF-fixdate and the two obsolete forms.
package enum HTTPDate {
  /// Seconds since 1970-01-01T00:00:00Z; nil when `text` is none of the three forms or no date of the calendar.
  ///
  /// The name of the day is not compared with the date. A two-digit year means the latest year with those digits
  /// that is not more than 50 years after `now`; without `now` it means 1970 to 2069.
  package static func secondsSinceEpoch(parsing text: String, now: Int64? = nil) -> Int64? {
    guard text.utf8.count <= 64 else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch words.count {
    case 6: return fixdate(words)
    case 4: return obsoleteDate(words, now: now)
    case 5: return asctimeDate(words, dayDigits: 2)
    default: return nil
    }
  }

  /// The first of the three forms; nil for years that it has no digits for.
  package static func text(secondsSinceEpoch seconds: Int64) -> String? {
    let (day, time) = (floorDivided(seconds, by: 86_400), seconds - floorDivided(seconds, by: 86_400) * 86_400)
    // The proleptic Gregorian calendar, in eras of 400 years that begin in March.
    let shifted = day + 719_468
    let era = floorDivided(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    guard (0...9999).contains(year) else { return nil }
    // 1970 began with a Thursday.
    let weekday = Int((day % 7 + 7 + 3) % 7)
    let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let clock = "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
    let digits = "\(two(year / 100))\(two(year % 100))"
    return "\(shortDays[weekday]), \(two(dayOfMonth)) \(months[Int(month) - 1]) \(digits) \(clock) GMT"
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func floorDivided(_ number: Int64, by divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : -((-number - 1) / divisor) - 1
  }

  private static let shortDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  private static func fixdate(_ words: [String]) -> Int64? {
    // asctime pads the day of the month with a space, which makes it six words as well.
    if words[2].isEmpty { return asctimeDate(Array(words[..<2] + words[3...]), dayDigits: 1) }
    guard shortDays.map({ $0 + "," }).contains(words[0]), words[5] == "GMT",
      let day = number(words[1], digits: 2), let month = months.firstIndex(of: words[2]),
      let year = number(words[3], digits: 4), let time = timeOfDay(words[4])
    else { return nil }
    return seconds(year: year, month: Int64(month) + 1, day: day, time: time)
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`
  private static func obsoleteDate(_ words: [String], now: Int64?) -> Int64? {
    let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard longDays.map({ $0 + "," }).contains(words[0]), words[3] == "GMT", date.count == 3,
      let day = number(date[0], digits: 2), let month = months.firstIndex(of: date[1]).map({ Int64($0) + 1 }),
      let digits = number(date[2], digits: 2), let time = timeOfDay(words[2])
    else { return nil }
    var year = digits + (digits < 70 ? 2000 : 1900)
    if let now {
      // Start at the latest four-digit year and go back: the first one not too far ahead is the one.
      year = digits + 9900
      while year >= 100,
        daysSinceEpoch(year: year - 50, month: month, day: day) * 86_400 + time > now
      {
        year -= 100
      }
    }
    return seconds(year: year, month: month, day: day, time: time)
  }

  /// `Sun Nov  6 08:49:37 1994`, with the padding of a one-digit day taken out already.
  private static func asctimeDate(_ words: [String], dayDigits: Int) -> Int64? {
    guard shortDays.contains(words[0]), let month = months.firstIndex(of: words[1]),
      let day = number(words[2], digits: dayDigits), let time = timeOfDay(words[3]),
      let year = number(words[4], digits: 4)
    else { return nil }
    return seconds(year: year, month: Int64(month) + 1, day: day, time: time)
  }

  /// `08:49:37`; a leap second counts as the second after it.
  private static func timeOfDay(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: String, digits: Int) -> Int64? {
    text.utf8.count == digits ? decimal(text.utf8) : nil
  }

  private static func seconds(year: Int64, month: Int64, day: Int64, time: Int64) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[Int(month) - 1]).contains(day) else { return nil }
    return daysSinceEpoch(year: year, month: month, day: day) * 86_400 + time
  }

  /// Days of the proleptic Gregorian calendar, counted in years that begin in March, so that the leap day is the last.
  private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month > 2 ? year + 400 : year + 399  // 400 years on, to stay clear of negative division.
    let monthsSinceMarch = (month + 9) % 12
    let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
    let days = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
    let daysToEpoch: Int64 = 719_468 + 146_097
    return days - daysToEpoch
  }
}
