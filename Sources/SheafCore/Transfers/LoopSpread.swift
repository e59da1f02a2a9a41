/// On which of several event loops transfers run, and when another loop pays.
///
/// One loop is best for as long as it keeps up: no word crosses threads, and connections are found where they are. A
/// loop that computes for most of the time, as TLS makes it do on a fast line, holds its transfers up.
package struct LoopSpread: Hashable, Sendable {
  /// One loop at a moment.
  package struct Load: Hashable, Sendable {
    /// The share of a core that its thread used over the last quarter of a second, 0 to 1.
    package var busy: Double
    package var transfers: Int

    package init(busy: Double, transfers: Int) {
      self.busy = busy
      self.transfers = transfers
    }
  }

  /// Transfers of one download that change their loop.
  package struct Move: Hashable, Sendable {
    package var from: Int
    package var to: Int
    package var count: Int

    package init(from: Int, to: Int, count: Int) {
      self.from = from
      self.to = to
      self.count = count
    }
  }

  /// Never more loops than this; one for each core is the most that can help.
  package var most: Int
  /// A loop busier than this has no time left for more.
  package var saturation: Double

  package init(most: Int, saturation: Double = 0.85) {
    self.most = max(1, most)
    self.saturation = saturation
  }

  /// Where the next transfer of a download goes.
  ///
  /// - Parameters:
  ///   - warm: the loop on which a transfer of the same download has just ended and left its connection.
  ///   - home: the download's own loop.
  package func place(on loads: [Load], warm: Int?, home: Int) -> Int {
    let free = loads.indices.filter { !isSaturated(loads[$0]) }
    if let warm, free.isEmpty || free.contains(warm) { return warm }
    let candidates = free.isEmpty ? Array(loads.indices) : free
    let least = candidates.map { loads[$0].transfers }.min() ?? 0
    // A loop that hardly works takes whatever comes: the others stay asleep.
    if candidates.contains(home), loads[home].busy < saturation / 2 || loads[home].transfers == least { return home }
    return candidates.first { loads[$0].transfers == least } ?? home
  }

  /// The loop that a new download lives on.
  package func home(among loads: [Load]) -> Int {
    loads.firstIndex { !isSaturated($0) } ?? loads.indices.min { loads[$0].transfers < loads[$1].transfers } ?? 0
  }

  /// Whether one more loop should be opened: all are saturated, and there is something to share.
  package func wantsAnother(than loads: [Load]) -> Bool {
    loads.count < most && loads.allSatisfy(isSaturated) && loads.reduce(0) { $0 + $1.transfers } >= 2
  }

  /// Which transfers of a download, which has `own[i]` of them on loop `i`, should move; nil if none.
  ///
  /// A move costs a connection, so it is made only away from a saturated loop, and only as far as makes two loops even.
  package func move(on loads: [Load], own: [Int]) -> Move? {
    let sources = loads.indices.filter { isSaturated(loads[$0]) && own[$0] > 0 }
    let targets = loads.indices.filter { !isSaturated(loads[$0]) }
    guard
      let from = sources.max(by: { loads[$0].transfers < loads[$1].transfers }),
      let to = targets.min(by: { loads[$0].transfers < loads[$1].transfers })
    else { return nil }
    let count = min(own[from], (loads[from].transfers - loads[to].transfers) / 2)
    return count > 0 ? Move(from: from, to: to, count: count) : nil
  }

  private func isSaturated(_ load: Load) -> Bool { load.busy > saturation }
}
