/// How many transfers may run at once: additive increase, decrease to what the server bears.
///
/// This is the controller's place: whatever decides better how many connections pay replaces the two
/// mutating methods and nothing else.
package struct ConnectionLimit: Sendable {
  /// Never more than this.
  package let ceiling: Int
  package private(set) var current: Int

  package init(ceiling: Int) {
    self.ceiling = max(1, ceiling)
    current = self.ceiling
  }

  /// A connection was refused, reset or throttled while `active` others were working.
  package mutating func connectionRefused(active: Int) {
    current = max(1, min(current, active))
  }

  /// A transfer carried its segment to the end.
  package mutating func segmentFinished() {
    current = min(ceiling, current + 1)
  }
}
