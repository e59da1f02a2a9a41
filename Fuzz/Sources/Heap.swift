import CSanitizer

/// The most bytes that `body` had on the heap at once, beyond what was there before.
func heapPeak<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> (T, peak: Int) {
  _ = hooksAreInstalled
  (live, peak) = (0, 0)
  isWatching = true
  defer { isWatching = false }
  return (try body(), peak)
}

// Read and written by the hooks, on the one thread that fuzzes.
nonisolated(unsafe) private var live = 0
nonisolated(unsafe) private var peak = 0
nonisolated(unsafe) private var isWatching = false

private let hooksAreInstalled: Bool = {
  let status = __sanitizer_install_malloc_and_free_hooks(
    { _, size in
      guard isWatching else { return }
      live += size
      peak = max(peak, live)
    },
    { pointer in if isWatching { live -= __sanitizer_get_allocated_size(pointer) } })
  return status != 0
}()
