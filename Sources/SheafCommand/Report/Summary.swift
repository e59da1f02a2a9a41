import Sheaf

/// `big.iso: 256 MiB in 2.1 s (122 MiB/s), 16 connections, identity strong, verified sha-256`
func summary(of result: DownloadResult) -> String {
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
