/// A number of bytes in at most 8 columns and three digits: `999 B`, `1.5 MiB`, `256 MiB`.
func humanSize(_ bytes: Int64) -> String {
  guard bytes >= 1024 else { return "\(max(bytes, 0)) B" }
  var value = Double(bytes)
  var unit = ""
  for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
    value /= 1024
    unit = next
    // Four digits only for 1000 to 1023; what would round to 1024 goes on to the next unit.
    if value < 1023.5 { break }
  }
  return value < 99.95 ? "\(tenths(value)) \(unit)" : "\(Int64(value.rounded())) \(unit)"
}

/// A rate in at most 10 columns: `122 MiB/s`. A rate that is no number counts as nothing.
func humanRate(_ bytesPerSecond: Double) -> String {
  guard bytesPerSecond.isFinite, bytesPerSecond > 0 else { return "0 B/s" }
  return "\(humanSize(Int64(min(bytesPerSecond, 1e18))))/s"
}

/// A value from 0 on with one digit after the point.
func tenths(_ value: Double) -> String {
  let scaled = Int64((value * 10).rounded())
  return "\(scaled / 10).\(scaled % 10)"
}
