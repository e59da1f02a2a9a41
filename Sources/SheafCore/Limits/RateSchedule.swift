/// Rates for times of the day, such as `08:00-18:00=1M,22:00-06:00=0`.
package struct RateSchedule: Hashable, Sendable {
  /// What makes a text no schedule.
  package struct Problem: Error, Hashable, Sendable {
    /// A sentence part that names the entry at fault.
    package let message: String
  }

  package struct Entry: Hashable, Sendable {
    /// Minutes since midnight; the end is not part of it, and lies on the next day where it is not after the start.
    package let start: Int
    package let end: Int
    /// Bytes per second; nil is no limit.
    package let bytesPerSecond: Int64?

    func covers(_ minute: Int) -> Bool {
      start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
  }

  package let entries: [Entry]

  /// - Parameter size: reads a number of bytes; nil if the text is none. 0 is no limit.
  package init(parsing text: String, size: (Substring) -> Int64?) throws(Problem) {
    var entries: [Entry] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      entries.append(try Self.entry(part, size))
    }
    self.entries = entries
  }

  /// The rate at a moment of the day, by the first entry that covers it.
  /// - Parameters:
  ///   - minute: since midnight, by the local clock.
  ///   - otherwise: what holds where no entry does.
  package func rate(atMinute minute: Int, otherwise: Int64?) -> Int64? {
    guard let entry = entries.first(where: { $0.covers(minute) }) else { return otherwise }
    return entry.bytesPerSecond
  }

  private static func entry(_ text: Substring, _ size: (Substring) -> Int64?) throws(Problem) -> Entry {
    let problem = Problem(message: "'\(printable(String(text)))' is not HH:MM-HH:MM=SIZE")
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, let bytes = size(sides[1]) else { throw problem }
    let times = sides[0].split(separator: "-", omittingEmptySubsequences: false).map(minute)
    guard times.count == 2, let start = times[0], let end = times[1], start < 24 * 60 else { throw problem }
    guard start != end else { throw Problem(message: "'\(printable(String(text)))' ends when it begins") }
    return Entry(start: start, end: end, bytesPerSecond: bytes == 0 ? nil : bytes)
  }

  /// `HH:MM` up to 24:00, as minutes since midnight.
  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 2, (1...2).contains(parts[0].utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60, hour < 24 || (hour, minute) == (24, 0)
    else { return nil }
    return hour * 60 + minute
  }
}
