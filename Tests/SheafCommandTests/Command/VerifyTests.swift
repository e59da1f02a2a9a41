import TestSupport
import Testing

@testable import SheafCommand

@Suite("sheaf verify")
struct VerifyTests {
  private let one = Entity(seed: 51, size: 1_000_000)
  private let two = Entity(seed: 52, size: 10)

  private func files() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try one.write(toFileAt: directory.file("one.bin"))
    try two.write(toFileAt: directory.file("two.bin"))
    return directory
  }

  private var list: String {
    "\(hexadecimal(one.sha256()))  one.bin\n\(hexadecimal(two.sha256())) *two.bin\n"
  }

  @Test("says OK of each file that has the digest of the list, given or found")
  func right() async throws {
    let directory = try files()
    try directory.write(list, to: "SHA256SUMS")
    for arguments in [["--checksum-file", "SHA256SUMS"], []] {
      let run = try await runSheaf(["verify", "one.bin", "two.bin"] + arguments, in: directory)
      #expect(run.status == .exited(0) && run.errors == "", "\(run)")
      #expect(run.output.split(separator: "\n").sorted() == ["one.bin: OK", "two.bin: OK"])
    }
    let quiet = try await runSheaf(["verify", "-q", "one.bin"], in: directory)
    #expect(quiet.status == .exited(0) && quiet.output == "" && quiet.errors == "")
  }

  @Test("says FAILED of a file with another digest, and ends with 32")
  func wrong() async throws {
    let directory = try files()
    try directory.write(list, to: "SHA256SUMS")
    try directory.write("something else", to: "two.bin")
    let run = try await runSheaf(["verify", "two.bin", "one.bin"], in: directory)
    #expect(run.status == .exited(32))
    #expect(run.output.split(separator: "\n").sorted() == ["one.bin: OK", "two.bin: FAILED"])
    #expect(run.errors.contains("but SHA256SUMS says"))
    let given = try await runSheaf(
      ["verify", "one.bin", "--checksum", "md5=\(String(repeating: "0", count: 32))"], in: directory)
    #expect(given.status == .exited(32))
  }

  @Test("the file's own sidecar goes before the list; the strongest first")
  func sidecars() async throws {
    let directory = try files()
    try directory.write("\(String(repeating: "0", count: 64))  one.bin\n", to: "SHA256SUMS")
    try directory.write(hexadecimal(one.sha256()), to: "one.bin.sha256")
    let run = try await runSheaf(["verify", "--json", "one.bin"], in: directory)
    #expect(
      run.output
        == #"{"event":"verified","path":"one.bin","matches":true,"check":{"algorithm":"sha-256","strength":"integrity","source":"one.bin.sha256"}}"#
        + "\n")
  }

  @Test("has a status for what cannot be compared")
  func statuses() async throws {
    let directory = try files()
    let unknown = try await runSheaf(["verify", "one.bin"], in: directory)
    #expect(unknown.status == .exited(32) && unknown.output == "one.bin: FAILED\n", "\(unknown)")
    let missing = try await runSheaf(["verify", "three.bin", "--checksum", "crc32=00000000"], in: directory)
    #expect(missing.status == .exited(15) && missing.output == "")
    let folder = try await runSheaf(["verify", ".", "--checksum", "crc32=00000000"], in: directory)
    #expect(folder.status == .exited(15))
    let json = try await runSheaf(["verify", "--json", "three.bin"], in: directory)
    #expect(
      json.output.hasPrefix(#"{"event":"verified","path":"three.bin","matches":false,"code":15,"name":"open-failed","#))
  }

  @Test(
    "refuses command lines that make no sense",
    arguments: [
      ["verify"], ["verify", ""], ["verify", "a", "b", "--checksum", "crc32=00000000"],
      ["verify", "a", "--checksum=x"],
      ["verify", "a", "--checksum-file", "https://h/SUMS"], ["verify", "-x4", "a"], ["--verify=maybe", "http://h/"],
    ])
  func usage(arguments: [String]) {
    #expect(throws: UsageError.self) { try Invocation(parsing: arguments) }
  }

  @Test("a download takes the list, too")
  func download() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: one, path: "/one.bin")
    origin.serve(two, at: "/two.bin")
    try directory.write(list, to: "SUMS")
    let run = try await runSheaf(
      ["--checksum-file=SUMS", origin.url("/one.bin"), origin.url("/two.bin"), "-d", "got"], in: directory)
    #expect(run.status == .exited(0))
    #expect(run.errors.split(separator: "\n").allSatisfy { $0.hasSuffix("verified sha-256 (SUMS)") }, "\(run.errors)")
    let required = try await runSheaf(["--verify=require", origin.url("/one.bin")], in: directory)
    #expect(required.status == .exited(32))
    #expect(required.errors.contains("nothing says which digest"))
  }
}
