/// A duration for a sentence: `12 ms`, `2.1 s`, `3 min 5 s`, `1 h 2 min`.
func humanDuration(_ duration: Duration) -> String {
  let exact = seconds(duration)
  if exact < 0.9995 { return "\(Int64((exact * 1000).rounded())) ms" }
  if exact < 59.95 { return "\(tenths(exact)) s" }
  let whole = Int64(exact.rounded())
  if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
  return "\(whole / 3600) h \(whole % 3600 / 60) min"
}

/// The time left in at most 8 columns: `0:05`, `12:34`, `1:02:03`; `--:--` when it is not known or too long to matter.
func clockTime(_ duration: Duration?) -> String {
  guard let duration, case let whole = duration.components.seconds, (0..<360_000).contains(whole) else {
    return "--:--"
  }
  let (hours, minutes, rest) = (whole / 3600, whole % 3600 / 60, whole % 60)
  return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
}

/// A duration as a number, never below zero.
func seconds(_ duration: Duration) -> Double {
  let (whole, atto) = duration.components
  return max(0, Double(whole) + Double(atto) / 1e18)
}

private func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
