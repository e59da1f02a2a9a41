/// A moment on a clock that never jumps, in nanoseconds since some start. The core never reads a clock:
/// whoever feeds it an event says when it happened.
package struct Instant: Hashable, Comparable, Sendable {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The moment `seconds` later.
  package func advanced(bySeconds seconds: Double) -> Instant {
    Instant(nanoseconds: nanoseconds + Int64(seconds * 1e9))
  }

  /// Seconds from `earlier` to this moment.
  package func seconds(since earlier: Instant) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}
