import Testing

@testable import SheafCommand

@Suite("The built command")
struct CommandTests {
  @Test(
    "ends with 28 and one line on a usage error",
    arguments: [
      [], ["--splt=2", "http://127.0.0.1:1/"], ["ftp://127.0.0.1/"], ["-x", "0", "http://127.0.0.1:1/"],
      ["-o", "x", "http://127.0.0.1:1/", "http://127.0.0.1:1/"], ["inspect"], ["--checksum=00", "http://127.0.0.1:1/"],
    ])
  func usage(arguments: [String]) throws {
    let run = try SheafProcess.run(arguments)
    #expect(run.status == 28)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sheaf: error: ") && run.errors.contains("; "))
    #expect(run.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
  }

  @Test("prints version and help on standard output")
  func texts() throws {
    let version = try SheafProcess.run(["--version"])
    #expect(version.status == 0 && version.output == "sheaf \(Version.number)\n" && version.errors == "")
    let help = try SheafProcess.run(["--help"])
    #expect(help.status == 0 && help.output == Help.fetching && help.errors == "")
  }
}
