import Dispatch
import Sheaf

/// A dispatch queue that knows whether it is running.
struct LabelledQueue: Sendable {
  private static let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "sheaf-tests")

  init() { queue.setSpecific(key: Self.key, value: true) }

  var delivery: Delivery { .queue(queue) }
  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == true }
}
