/// What servers say of the file's digest. The user's word makes theirs superfluous.
extension DownloadMachine {
  /// An answer or redirect says which digest the file has; its verdict follows.
  package mutating func claimed(_ id: TransferID, _ news: [DigestClaim]) {
    guard isKnown(id), !settings.hasDigest, settings.verification != .off else { return }
    let host = asked[id]?.location.origin.host ?? sources[source(of: id)].location.origin.host
    claims.hear(id, news.map { $0.by(host) })
  }

  /// The answer to transfer `id` is the first one that is accepted.
  mutating func settleClaims(_ id: TransferID) -> [Action] {
    claims.settle(id)
    if let refusal = refusalOfUnverified { return fail(refusal) }
    guard !claims.settled.isEmpty else { return [] }
    // A resumed download's plan is older than the first answer.
    if isOrdered { planner.limitSegments(to: Self.largestOrderedSegment) }
    let names = claims.settled.map { "\($0.digest.algorithm.rawValue) (\($0.source ?? ""))" }
    return [.expect(claims.settled), .report(.decision("to be compared: \(names.joined(separator: ", "))"))]
  }

  /// Why the file is not to be had, if it must be compared with something and there is nothing.
  var refusalOfUnverified: Failure? {
    guard settings.verification == .require, !settings.hasDigest, claims.settled.isEmpty else { return nil }
    return Failure(
      .checksum, "nothing says which digest the file must have",
      suggestion: "give --checksum or --checksum-file, or do without --verify=require")
  }
}
