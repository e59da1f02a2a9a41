import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

@Suite("The unfinished downloads of a directory")
struct StatusTests {
  /// Never complete, however late the signal comes.
  private static let halfway = Behaviour.correct
    .stalling(after: 3 << 20, on: .first(2))
    .cut(.head(after: 0), .stall, on: .after(2))

  @Test("are listed with how much is there and a picture; what is no manifest is an error")
  func lists() async throws {
    let entity = Entity(seed: 1, size: 32 << 20)
    let origin = try Origin(entity: entity, behaviour: Self.halfway)
    let directory = try TemporaryDirectory()
    let fetch = try startSheaf(["-q", "-x2", "--auto-save-interval=0.01", origin.url], in: directory)
    #expect(await origin.reached(seconds: 120) { $0.bytesSent >= 3 << 20 })
    fetch.kill(SIGTERM)
    #expect(await fetch.result().status == .exited(7))
    #expect(directory.names() == ["file.bin.part", "file.bin.sheaf"])

    let status = try await runSheaf(["status"], in: directory)
    let lines = status.output.split(separator: "\n")
    #expect(status.status == .exited(0), "\(status.errors)")
    try #require(lines.count == 2, "\(status.output)")
    #expect(lines[0].hasPrefix("file.bin: ") && lines[0].contains(" of 32.0 MiB, from \(origin.url)"))
    #expect(lines[1].hasPrefix("  [#") && lines[1].hasSuffix(".]"))

    let json = try await runSheaf(["status", "--json", "."], in: directory)
    #expect(json.output.hasPrefix(#"{"event":"status","path":"file.bin","source":"\#(origin.url)","#), "\(json.output)")

    try directory.write("no manifest", to: "other.sheaf")
    let broken = try await runSheaf(["status", "."], in: directory)
    #expect(broken.status == .exited(15) && broken.errors.contains("other.sheaf"), "\(broken.errors)")
    #expect(broken.output == status.output)
  }

  @Test("of a directory that has none are none; a missing directory is an error")
  func none() async throws {
    let directory = try TemporaryDirectory()
    let empty = try await runSheaf(["status", directory.path])
    #expect(empty.status == .exited(0) && empty.output == "" && empty.errors == "")
    let missing = try await runSheaf(["status", directory.file("nowhere")])
    #expect(missing.status == .exited(15) && missing.errors.contains("nowhere"))
  }
}
