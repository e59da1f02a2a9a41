/// Seconds since 1970 in the form HTTP uses, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
package enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// - Precondition: not before 1970.
  package static func text(_ seconds: Int64) -> String {
    precondition(seconds >= 0, "no HTTP date for \(seconds)")
    let (day, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
    // Days are counted from 1 March of year 0, so that the leap day is the last of its year.
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = (monthFromMarch + 2) % 12
    let year = yearOfEra + era * 400 + (month < 2 ? 1 : 0)
    return "\(days[Int(day % 7)]), \(two(dayOfMonth)) \(months[Int(month)]) \(year) "
      + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
  }

  /// Nil for anything but the one form that may be sent.
  package static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]),
      let month = months.firstIndex(of: String(words[2])), let year = Int64(words[3]), year >= 1970
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int64($0) }
    guard time.count == 3 else { return nil }
    let shiftedYear = month < 2 ? year - 1 : year
    let monthFromMarch = Int64((month + 10) % 12)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let days = shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
    let seconds = days * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]
    return self.text(seconds) == text ? seconds : nil
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
