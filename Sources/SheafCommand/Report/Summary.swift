import Sheaf

/// `big.iso: 256 MiB in 2.1 s (122 MiB/s), 16 connections, identity strong, verified sha-256`
func summary(of result: DownloadResult) -> String {
  if let repair = result.repair { return summary(of: repair, result) }
  var parts: [String] = []
  if result.wasAlreadyComplete {
    parts.append("already complete, \(humanSize(result.bytes)), nothing fetched")
  } else {
    let time = seconds(result.duration)
    let rate = time > 0 ? " (\(humanRate(Double(result.fetchedBytes) / time)))" : ""
    parts.append("\(humanSize(result.bytes)) in \(humanDuration(result.duration))\(rate)")
    if result.resumedBytes > 0 { parts.append("\(humanSize(result.resumedBytes)) of it kept from an earlier run") }
    parts.append("\(result.connectionsPeak) connection\(result.connectionsPeak == 1 ? "" : "s")")
  }
  let serving = result.sources.count { $0.receivedBytes > 0 }
  if serving > 1 { parts.append("\(serving) sources") }
  parts.append("identity \(result.identity.rawValue)")
  parts += result.checks.map(description)
  return "\(lastComponent(result.path)): \(parts.joined(separator: ", "))"
}

/// `big.iso: repaired, 5 of 64 blocks fetched (5.0 MiB in 0.3 s), 59 kept: 4 compared with the source, 55 taken on trust`
private func summary(of repair: RepairReport, _ result: DownloadResult) -> String {
  var parts: [String] = []
  if repair.wasIntact {
    parts.append("nothing to repair, \(humanSize(result.bytes))")
  } else {
    let fetched = repair.blocks - repair.keptBlocks
    let cost = "\(humanSize(result.fetchedBytes)) in \(humanDuration(result.duration))"
    parts.append("repaired, \(fetched) of \(repair.blocks) blocks fetched (\(cost))")
  }
  parts.append("\(repair.keptBlocks) kept\(worth(of: repair))")
  parts += result.checks.map(description)
  return "\(lastComponent(result.path)): \(parts.joined(separator: ", "))"
}

/// What vouches for the blocks that were kept.
private func worth(of repair: RepairReport) -> String {
  switch repair.basis {
  case .pieces: return " by the digests of pieces"
  case .digest: return " by the digest of the file"
  case .manifest: return " by Sheaf's own manifest"
  case .controlFile, .content: break
  }
  guard repair.keptBlocks > 0 else { return "" }
  let compared = ": \(repair.comparedBlocks) compared with the source"
  return repair.trustedBlocks == 0
    ? compared : "\(compared), \(repair.trustedBlocks) taken on trust (a checksum would prove them)"
}

/// `verified sha-256 (Repr-Digest of example.org)`; what could be forged is called a check of the transport unless the user
/// gave it.
private func description(of check: DigestCheck) -> String {
  guard let source = check.source else { return "verified \(check.algorithm.rawValue)" }
  let kind = check.strength == .integrity ? "verified" : "transport check"
  return "\(kind) \(check.algorithm.rawValue) (\(source))"
}

/// `connections waited 1.8 % of their time for answers, 64.0 KiB came for nothing`
func costs(of result: DownloadResult) -> String {
  let waited = "connections waited \(tenths(100 * result.waitingShare)) % of their time for answers"
  return result.wastedBytes > 0 ? "\(waited), \(humanSize(result.wastedBytes)) came for nothing" : waited
}

/// `limited by the server: ...; then by the limit of 16 connections: ...`
func limits(of result: DownloadResult) -> String {
  result.limits.isEmpty ? "nothing was fetched" : "limited by " + result.limits.joined(separator: "; then by ")
}
