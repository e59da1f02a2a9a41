import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("The origin's behaviours")
struct HostileTests {
  /// Scenarios that Sheaf is known to fail. Each goes when it is mended.
  static let unsolved = [
    // The part file has one name for all processes; only the lock keeps them apart.
    "B-71"
  ]

  @Test("the quick part of the matrix passes", .timeLimit(.minutes(5)))
  func quick() async throws {
    let matrix = try await ChildProcess.run(
      try builtProduct("sheaf-hostile"), ["--quick"] + Self.unsolved.map { "--except=\($0)" })
    print(matrix.output.split(separator: "\n").last ?? "")
    #expect(matrix.status == .exited(0), "\(matrix.output)\(matrix.errors)")
  }

  @Test("docs/origin.md lists them all, as the code has them")
  func documentation() async throws {
    let table = try await ChildProcess.run(try builtProduct("sheaf-origin"), ["--markdown"])
    let page = Self.text("docs/origin.md")
    #expect(page.contains(table.output), "run `make origin-docs`")
  }

  private static func text(_ path: String) -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = fopen("/\(root)/\(path)", "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
