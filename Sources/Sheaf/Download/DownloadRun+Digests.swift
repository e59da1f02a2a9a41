import SheafCore

/// What the finished file is compared with, and the digest that follows the frontier.
extension DownloadRun {
  /// How far the digest goes at once: other downloads share its thread, and the part file stays locked meanwhile.
  static let digestStride: Int64 = 16 << 20

  /// From now on these digests are what the file must have.
  func expect(_ claims: [DigestClaim]) {
    if let stream {
      // What has been handed out is gone: with the first byte of it, it is settled what the bytes are compared with.
      guard digested == stream.start, !isDigesting else { return }
      expected = Array(claims.prefix(1))
      digester = expected.first.map { Digester($0.digest.algorithm, of: stream.part, thread: hashing) }
      return continueDigest()
    }
    expected = claims
    digested = 0
    // The blocks' values give the CRC-32, with nothing read.
    let read = claims.first { $0.digest.algorithm != .crc32 }?.digest.algorithm
    digester = if let read, let file { Digester(read, of: file, thread: hashing) } else { nil }
    continueDigest()
  }

  /// Lets the digest follow the contiguous frontier, but not into blocks that are still to be checked.
  func continueDigest() {
    guard let digester, !isDigesting else { return }
    var frontier = stream == nil ? ledger?.frontier ?? streamed : machine.delivered
    if let audit, let map = ledger?.map { frontier = min(frontier, Int64(audit.next) * map.blockSize) }
    guard frontier > digested else { return }
    let next = min(frontier, digested + Self.digestStride)
    isDigesting = true
    Task {
      var failure: Failure?
      do throws(Failure) {
        try await digester.advance(to: next)
      } catch {
        failure = error
      }
      isDigesting = false
      // Meanwhile the bytes may have been discarded, and with them the reason to read them.
      guard self.digester === digester else { return continueDigest() }
      if let failure { return handle(machine.interrupted(by: failure)) }
      digested = max(digested, next)
      moveWindow()
      continueDigest()
    }
  }

  /// Compares the complete file with what is expected of it.
  func seal() {
    if stream == nil, let pieces = options.pieces?.digests.first {
      checks = [DigestCheck(DigestClaim(pieces, source: "all pieces"))]
    }
    guard !expected.isEmpty else { return handle(machine.sealed()) }
    let total = machine.knownTotal ?? streamed
    Task {
      do throws(Failure) {
        for claim in expected {
          let digest = try await digest(claim.digest.algorithm, at: total)
          guard digest == claim.digest.bytes else { throw refutation(claim, digest) }
        }
        checks += expected.map { DigestCheck($0) }
        channel.send(.verified(checks))
        handle(machine.sealed())
      } catch {
        handle(error.kind == .checksum ? machine.refuted(because: error, now: .now) : machine.interrupted(by: error))
      }
    }
  }

  private func digest(_ algorithm: DigestAlgorithm, at total: Int64) async throws(Failure) -> [UInt8] {
    if algorithm == .crc32, stream == nil {
      if let combined = ledger?.fileChecksum { return bigEndian(combined) }
      // The blocks of a file whose length only its end told are not known.
      guard let file else { return [] }
      return try await Digester(.crc32, of: file, thread: hashing).finish(at: total)
    }
    return try await digester?.finish(at: total) ?? []
  }

  private func refutation(_ claim: DigestClaim, _ digest: [UInt8]) -> Failure {
    isRefuted = true
    let name = claim.digest.algorithm.rawValue
    let aside =
      stream == nil
      ? "the bytes are kept aside in \(printable(path)).part" : "what was handed out is not what it should be"
    guard let source = claim.source else {
      return Failure(
        .checksum, "the \(name) digest is \(hexadecimal(digest)), not the one asked for",
        suggestion: "\(aside); check the checksum and the URL")
    }
    let remedy = given == nil ? "--verify=off takes what the server sends" : "check whether it is of this version"
    return Failure(
      .checksum,
      "the \(name) digest is \(hexadecimal(digest)), but \(source) says \(hexadecimal(claim.digest.bytes))",
      suggestion: "\(aside); \(remedy)")
  }
}
