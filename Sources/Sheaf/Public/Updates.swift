/// What is told of a download or a queue, in order, as long as there is something to tell.
///
/// Whoever asks gets a sequence of their own, so any number of readers hear everything from when they asked. Where
/// only the newest counts, as of progress, a slow reader finds only that; other news is lost to a reader only if more than a
/// thousand wait for it. A sequence that nobody holds any more costs nothing.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  /// The sequence itself never fails.
  public typealias Failure = Never

  let channel: Channel<Element>

  /// Makes the iterator; two at the same time would share the news between them.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// Waits for one piece of news after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let channel: Channel<Element>

    /// The next piece; nil when there will be no more or the waiting task is cancelled.
    public mutating func next() async -> Element? { await channel.next() }
  }
}
