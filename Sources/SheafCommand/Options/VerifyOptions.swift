import Sheaf
import SheafCore

/// What `sheaf verify` is asked for.
struct VerifyOptions: Sendable {
  var paths: [String] = []
  var checksum: Checksum?
  var checksumFile: String?
  /// Say nothing of files that are right.
  var isQuiet = false
  var json = false

  static func invocation(_ arguments: [String]) throws(UsageError) -> Invocation {
    var options = VerifyOptions()
    switch try ArgumentParser(OptionTable.verifying).parse(arguments, into: &options) {
    case .request: return .print(Help.text(of: .verifying))
    case .operands(let operands):
      try options.accept(operands)
      return .verify(options)
    }
  }

  private mutating func accept(_ operands: [String]) throws(UsageError) {
    guard !operands.isEmpty, !operands.contains("") else {
      throw UsageError("sheaf verify needs a file", suggestion: "try sheaf verify FILE --checksum-file SHA256SUMS")
    }
    guard checksum == nil || operands.count == 1 else {
      throw UsageError("one checksum for \(operands.count) files", suggestion: "use --checksum-file")
    }
    if let checksumFile, checksumFile.contains("://") {
      throw UsageError(
        "sheaf verify reads no checksum file from a server", suggestion: "fetch it with sheaf and give its path")
    }
    paths = operands
  }
}
