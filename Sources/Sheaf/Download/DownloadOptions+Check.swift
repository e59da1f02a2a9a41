import SheafCore

extension DownloadOptions {
  /// - Throws: a usage failure for values that cannot be obeyed.
  func check() throws(Failure) {
    try checkNetwork()
    guard (1...256).contains(connections) else { throw Failure(.usage, "connections must be 1 to 256") }
    if let split, split < 1 { throw Failure(.usage, "split must be at least 1") }
    guard minimumSplitSize ?? 1 >= 1 else { throw Failure(.usage, "the minimum split size must be at least 1 byte") }
    guard maximumTries >= 0 else { throw Failure(.usage, "the number of tries must not be negative") }
    guard timeout > .zero, connectTimeout > .zero, retryWait >= .zero, checkpointInterval > .zero else {
      throw Failure(.usage, "timeouts and intervals must be positive and waits not negative")
    }
    guard (1...16).contains(maximumSources) else { throw Failure(.usage, "sources must be 1 to 16") }
    for mirror in mirrors { _ = try Location(ofDownload: mirror) }
    for field in headers { try field.check() }
    for entry in resolve where ResolveEntry(entry) == nil {
      throw Failure(
        .usage, "'\(printable(entry))' names no addresses for a host", suggestion: "give one such as host:443:192.0.2.1"
      )
    }
    if let userAgent, userAgent.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw Failure(.usage, "the user agent must not contain control characters")
    }
  }
}

extension HeaderField {
  /// - Throws: a usage failure for what could not be sent as one field.
  func check() throws(Failure) {
    let isToken = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    let isClean = !value.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    guard isToken && isClean else { throw Failure(.usage, "'\(printable(name))' is not a header field") }
  }
}
