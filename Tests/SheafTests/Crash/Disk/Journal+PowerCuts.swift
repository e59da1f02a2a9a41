/// Which power cuts are tried.
extension Journal {
  /// Up to so many pending steps, every combination of kept and lost ones is tried.
  static let mostExhaustive = 12

  /// Calls `visit` with what is kept of each pending step, for one power cut after another.
  ///
  /// Every combination of kept and lost steps, or many more of them than `samples` by chance where there are too many;
  /// and each write torn: a short one at every byte that makes a difference, a long one at the borders of sectors and
  /// pages, with everything else kept, lost, or kept by chance.
  /// - Parameter stride: of the bytes where a short write may be torn, only one in so many is tried.
  func forEachPowerCut(
    samples: Int, stride: Int, _ random: inout SplitMix, _ visit: ([Kept]) -> Void
  ) {
    let count = pending.count
    let cuts = pending.map { step in
      let cuts = self.cuts(of: step)
      return cuts.indices.filter { cuts.count <= 16 || $0 % stride == 0 }.map { cuts[$0] }
    }
    if count <= Self.mostExhaustive {
      for choice in 0..<1 << count { visit((0..<count).map { choice >> $0 & 1 == 1 ? .all : .nothing }) }
    } else {
      for length in 0...count { visit((0..<count).map { $0 < length ? .all : .nothing }) }
      for one in 0..<count {
        visit((0..<count).map { $0 == one ? .all : .nothing })
        visit((0..<count).map { $0 == one ? .nothing : .all })
      }
      for _ in 0..<samples { visit(anyPowerCut(&random)) }
    }
    for index in pending.indices {
      for cut in cuts[index] {
        for torn in [Kept.head(cut), .tail(cut)] {
          for rest in [Kept.all, .nothing] { visit((0..<count).map { $0 == index ? torn : rest }) }
          if count > 2 {
            var kept = (0..<count).map { _ in random.next() % 2 == 0 ? Kept.all : .nothing }
            kept[index] = torn
            visit(kept)
          }
        }
      }
    }
  }

  /// Each step kept, lost or torn, as chance has it.
  func anyPowerCut(_ random: inout SplitMix) -> [Kept] {
    pending.map { step in
      guard case .data(_, let payload, _, _) = step, payload.bytes.count > Self.sector else {
        return random.next() % 2 == 0 ? .nothing : .all
      }
      // Short writes may be torn anywhere, long ones between sectors.
      let unit = payload.bytes.count > 4 * Self.page ? Self.sector : 1
      let cut = unit * (1 + Int(random.next() % UInt64((payload.bytes.count - 1) / unit)))
      switch random.next() % 4 {
      case 0: return .nothing
      case 1: return .all
      case 2: return .head(cut)
      default: return .tail(cut)
      }
    }
  }

  private static let sector = 512
  private static let page = 4096

  private func cuts(of step: Step) -> [Int] {
    guard case .data(let number, let payload, let offset, _) = step else { return [] }
    let count = payload.bytes.count
    guard count > 4 * Self.page else {
      // Where the byte before is what it was, the cut before leaves the same bytes.
      var old = durable.files[number]?.content.bytes(offset..<offset + count) ?? []
      old += [UInt8](repeating: 0, count: count - old.count)
      return zip(payload.bytes, old).enumerated().filter { $1.0 != $1.1 }.map { $0.offset + 1 }.filter { $0 < count }
    }
    return [Self.sector, Self.page, count / 2, count / 2 + Self.sector, count - Self.page, count - Self.sector]
  }
}
