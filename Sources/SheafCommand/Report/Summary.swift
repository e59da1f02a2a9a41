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
  parts.append("identity \(result.identity.rawValue)")
  if !result.verified.isEmpty { parts.append("verified \(result.verified.joined(separator: ", "))") }
  return "\(lastComponent(result.path)): \(parts.joined(separator: ", "))"
}
