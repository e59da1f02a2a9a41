import Sheaf
import SheafCore
import Testing

@testable import SheafCommand

@Suite("Exit statuses")
struct ExitStatusTests {
  @Test("are aria2's numbers")
  func numbers() {
    #expect(
      ExitStatus.allCases.map(\.rawValue) == [
        0, 1, 2, 3, 5, 6, 7, 8, 9, 11, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 28, 29, 32,
      ])
  }

  @Test("have one for every kind of failure, under the same name", arguments: Failure.Kind.allCases)
  func kinds(kind: Failure.Kind) {
    let status = ExitStatus(DownloadError(Failure(kind, "")).code)
    #expect(status.name == kind.rawValue)
    #expect(status != .ok)
  }

  @Test("are 'unknown' for a code that is newer")
  func newer() {
    #expect(ExitStatus(DownloadError.Code(rawValue: "eaten-by-a-dog")) == .unknown)
  }
}
