extension OptionArgument {
  /// A whole number in decimal digits.
  func integer(in bounds: ClosedRange<Int>, example: Int) throws(UsageError) -> Int {
    guard let value = Self.decimal(text), let value = Int(exactly: value), bounds.contains(value) else {
      let expected =
        bounds.upperBound == .max
        ? "a whole number, at least \(bounds.lowerBound)"
        : "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
      throw unlike(expected, example: "\(example)")
    }
    return value
  }

  /// A number of bytes, at least 1: plain, or with one of the suffixes K, M, G, T in either case, each 1024
  /// times the one before.
  func size(example: String) throws(UsageError) -> Int64 {
    let shifts: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = text.last.flatMap { shifts[Character($0.uppercased())] }
    let digits = shift == nil ? text[...] : text.dropLast()
    guard let number = Self.decimal(digits) else {
      throw unlike("a size such as 1M, 64K or 65536", example: example)
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    guard !overflow else { throw unlike("a size below 8 EiB", example: example) }
    guard bytes > 0 else { throw unlike("a size of at least one byte", example: example) }
    return bytes
  }

  /// A time in seconds, with at most three digits after the point, up to a year.
  func seconds(atLeast least: Duration, example: String) throws(UsageError) -> Duration {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let year: Int64 = 365 * 86_400
    guard let whole = Self.decimal(parts[0]), whole <= year, let fraction = Self.milliseconds(parts.dropFirst().first),
      case let duration = Duration.seconds(whole) + .milliseconds(fraction), duration >= least
    else {
      throw unlike(least == .zero ? "a time in seconds" : "a time in seconds, more than 0", example: example)
    }
    return duration
  }

  /// Decimal digits and nothing else: unlike `Int64.init`, no sign.
  private static func decimal(_ digits: some StringProtocol) -> Int64? {
    digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(digits) : nil
  }

  private static func milliseconds(_ digits: Substring?) -> Int64? {
    guard let digits else { return 0 }
    guard digits.utf8.count <= 3, let value = decimal(digits) else { return nil }
    return [100, 10, 1][digits.utf8.count - 1] * value
  }
}
