/// Runs something that blocks on a thread of its own, so that the tasks of the process go on meanwhile.
package func offThePool<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    do {
      try JoinableThread { continuation.resume(returning: body()) }.detach()
    } catch {
      // Without another thread there is no choice.
      continuation.resume(returning: body())
    }
  }
}

extension Origin {
  /// Waits, without blocking a thread of the pool, until the log satisfies the condition; false when `seconds` pass.
  package func reached(seconds: Double = 30, _ condition: @escaping @Sendable (OriginLog) -> Bool) async -> Bool {
    await offThePool { [self] in wait(seconds: seconds, until: condition) }
  }
}
