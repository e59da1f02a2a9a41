/// A digest that the whole file is said to have, and who says so.
package struct DigestClaim: Hashable, Sendable {
  package let digest: Digest
  /// A field of an answer, a checksum file, or whatever else it stood in, for people; nil for the user's own word.
  package let source: String?

  package init(_ digest: Digest, source: String?) {
    self.digest = digest
    self.source = source
  }

  /// The same, said by `host`.
  package func by(_ host: String) -> DigestClaim {
    DigestClaim(digest, source: source.map { "\($0) of \(printable(host))" })
  }

}

extension [DigestClaim] {
  /// The claims that nothing contradicts: of each algorithm one, the strongest first.
  ///
  /// Two digests of one algorithm that differ cannot both be right, and nothing tells which one is.
  package var consistent: [DigestClaim] {
    DigestAlgorithm.allCases.compactMap { algorithm in
      let candidates = filter { $0.digest.algorithm == algorithm }
      guard let first = candidates.first, candidates.allSatisfy({ $0.digest == first.digest }) else { return nil }
      return first
    }
  }

  /// Those worth comparing: the strongest, and a CRC-32, which the blocks' own values give without reading anything.
  package var worthComparing: [DigestClaim] {
    let all = consistent
    guard let first = all.first else { return [] }
    return [first] + all.dropFirst().filter { $0.digest.algorithm == .crc32 }
  }
}
