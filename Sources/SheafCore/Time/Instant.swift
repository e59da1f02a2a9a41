/// A moment on a clock that never jumps, in nanoseconds since some start. The core never reads a clock:
/// whoever feeds it an event says when it happened.
package struct Instant: Hashable, Comparable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The moment `seconds` later; the last moment there is if that is sooner.
  package func advanced(bySeconds seconds: Double) -> Instant {
    // 2^63 and more have no Int64.
    let step = Int64(exactly: (seconds * 1e9).rounded(.towardZero)) ?? .max
    let (sum, overflowed) = nanoseconds.addingReportingOverflow(step)
    return Instant(nanoseconds: overflowed ? .max : sum)
  }

  /// Seconds from `earlier` to this moment.
  package func seconds(since earlier: Instant) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}
