import Sheaf
import SheafCore

@testable import SheafCommand

/// News as a download would give them.
enum Samples {
  static func start(_ path: String = "dir/big.iso", total: Int64? = 1000, resumed: Int64 = 0) -> News {
    .event(
      .started(
        .init(url: "http://h/big.iso", path: path, total: total, resumedBytes: resumed, identity: .strong)))
  }

  static func progress(_ bytes: Int64, total: Int64? = 1000) -> News {
    .event(.progress(.init(bytes: bytes, total: total, bytesPerSecond: 99.6, connections: 4)))
  }

  static func result(
    _ path: String = "dir/big.iso", resumed: Int64 = 0, alreadyComplete: Bool = false,
    checks: [DigestCheck] = [DigestCheck(.sha256, source: nil)]
  ) -> DownloadResult {
    DownloadResult(
      path: path, bytes: 256 << 20, duration: .milliseconds(2100), identity: .strong, checks: checks,
      fetchedBytes: (256 << 20) - resumed, wastedBytes: 65_536, resumedBytes: resumed, connectionsPeak: 16,
      waitingShare: 0.018, limits: alreadyComplete ? [] : ["the line", "the moon"], wasAlreadyComplete: alreadyComplete)
  }

  static func error(_ kind: Failure.Kind, _ message: String, _ suggestion: String? = nil) -> DownloadError {
    DownloadError(Failure(kind, message, suggestion: suggestion))
  }
}
