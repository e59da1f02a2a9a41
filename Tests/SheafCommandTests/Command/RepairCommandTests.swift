import TestSupport
import Testing

@testable import SheafCommand

@Suite("sheaf repair")
struct RepairCommandTests {
  private static let mebi: Int64 = 1 << 20
  private let entity = Entity(seed: 81, size: 12 << 20)

  /// The entity but for its sixth mebibyte's first byte.
  private func damaged() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    var bytes = entity.bytes(in: 0..<entity.size)
    bytes[5 << 20] ^= 1
    try directory.write(bytes, to: "big.bin")
    return directory
  }

  private func metalink(_ others: String = "") -> String {
    let pieces = (0..<12).map { index in
      let range = Int64(index) * Self.mebi..<Int64(index + 1) * Self.mebi
      return "<hash>\(hexadecimal(entity.sha256(of: range)))</hash>"
    }
    return """
      <metalink xmlns="urn:ietf:params:xml:ns:metalink">\(others)<file name="big.bin"><size>\(entity.size)</size>
      <pieces length="\(Self.mebi)" type="sha-256">\(pieces.joined())</pieces></file></metalink>
      """
  }

  @Test("fetches the bad piece, says so, and has nothing to do the second time")
  func pieces() async throws {
    let directory = try damaged()
    try directory.write(metalink("<file name=\"other\"/>"), to: "big.meta4")
    let origin = try Origin(entity: entity)
    let arguments = ["repair", "--fsync-policy=off", "--metalink-file", "big.meta4", "big.bin", origin.url]
    let run = try await runSheaf(arguments, in: directory)
    #expect(run.status == .exited(0) && run.output == "big.bin\n", "\(run)")
    #expect(
      run.errors.contains("repaired, 1 of 12 blocks fetched") && run.errors.contains("11 kept by the digests of pieces")
    )
    #expect(entity.matches(fileAt: directory.file("big.bin")))
    let sent = origin.log.bytesSent
    #expect(sent >= Self.mebi + 1)
    let again = try await runSheaf(arguments + ["--json"], in: directory)
    #expect(again.status == .exited(0) && again.errors.isEmpty, "\(again)")
    #expect(
      again.output.contains(
        #""repair":{"basis":"pieces","intact":true,"block_size":1048576,"blocks":12,"kept":12,"compared":0,"on_trust":0}"#
      ))
    #expect(origin.log.bytesSent == sent)
  }

  @Test(
    "killed at any moment, it leaves the file as it was, and the next run goes on", arguments: [1, 200_000, 3 << 20])
  func killed(bytes: Int64) async throws {
    let directory = try TemporaryDirectory()
    let half = entity.bytes(in: 0..<6 * Self.mebi)
    try directory.write(half, to: "big.bin")
    let origin = try Origin(
      entity: entity,
      behaviour: .correct.stalling(after: 1 << 20, on: .after(1)).cut(.head(after: 0), .stall, on: .after(5)))
    let arguments = ["repair", "-x4", "--auto-save-interval=0.01", "big.bin", origin.url]
    let first = try startSheaf(arguments, in: directory)
    #expect(await origin.reached(seconds: 60) { $0.bytesSent >= bytes })
    first.kill(9)
    _ = first.wait()
    #expect(try directory.read("big.bin") == half)
    origin.serve(entity)
    let second = try await runSheaf(arguments, in: directory)
    #expect(second.status == .exited(0), "\(second)")
    #expect(entity.matches(fileAt: directory.file("big.bin")))
    #expect(directory.names() == ["big.bin"])
  }

  @Test("says how many blocks are taken on trust")
  func trust() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(entity.bytes(in: 0..<10 * Self.mebi + 99), to: "big.bin")
    let origin = try Origin(entity: entity)
    let run = try await runSheaf(["repair", "big.bin", origin.url, "--samples=3"], in: directory)
    #expect(run.status == .exited(0), "\(run)")
    #expect(run.errors.contains("2 of 12 blocks fetched"))
    #expect(run.errors.contains("10 kept: 3 compared with the source, 7 taken on trust"))
    #expect(entity.matches(fileAt: directory.file("big.bin")))
  }

  @Test("another file at the URL, or another digest, leaves the file as it was")
  func wrong() async throws {
    let directory = try damaged()
    let before = try directory.read("big.bin")
    let origin = try Origin(entity: Entity(seed: 82, size: entity.size))
    let other = try await runSheaf(["repair", "big.bin", origin.url], in: directory)
    #expect(other.status == .exited(22), "\(other)")
    #expect(other.errors.split(separator: "\n").last?.contains("check the URL") == true, "\(other)")
    origin.serve(entity)
    let digest = "sha-256=\(String(repeating: "1", count: 64))"
    let refuted = try await runSheaf(["repair", "big.bin", origin.url, "--checksum", digest], in: directory)
    #expect(refuted.status == .exited(32), "\(refuted)")
    #expect(try directory.read("big.bin") == before)
  }

  @Test("a document that is none, or says nothing of the file, is told before anything is asked for")
  func documents() async throws {
    let directory = try damaged()
    let origin = try Origin(entity: entity)
    try directory.write("<metalink/>", to: "none.meta4")
    try directory.write(
      "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"a\"/><file name=\"b\"/></metalink>",
      to: "two.meta4")
    for (document, status) in [("none.meta4", 20), ("two.meta4", 20), ("missing.meta4", 20)] as [(String, Int32)] {
      let run = try await runSheaf(["repair", "big.bin", origin.url, "--metalink-file", document], in: directory)
      #expect(run.status == .exited(status), "\(run)")
    }
    #expect(origin.log.requests.isEmpty)
  }

  @Test(
    "command lines that make no sense end with 28",
    arguments: [
      [], ["big.bin"], ["http://h/f", "big.bin"], ["a", "http://h/f", "b"], ["a", "ftp://h/f"],
      ["a", "http://h/f", "--samples=0"], ["a", "http://h/f", "-d", "x"], ["", "http://h/f"],
      ["a", "http://h/f", "-o", "-"],
    ])
  func usage(arguments: [String]) {
    #expect(throws: UsageError.self) { try Invocation(parsing: ["repair"] + arguments) }
  }

  @Test("takes the request options of a download, and its own")
  func options() throws {
    guard
      case .repair(let options) = try Invocation(parsing: [
        "repair", "-x4", "-H", "A: b", "--samples", "9", "--metalink-file=m", "-qo", "new", "f", "http://h/f", "--json",
        "http://i/f",
      ])
    else {
      Issue.record("no repair")
      return
    }
    #expect(options.fetch.download.mirrors == ["http://i/f"])
    #expect(options.path == "f" && options.url == "http://h/f" && options.samples == 9 && options.metalinkFile == "m")
    #expect(options.fetch.output == "new" && options.fetch.json && options.fetch.verbosity == .quiet)
    #expect(options.fetch.download.connections == 4 && options.fetch.download.headers.count == 1)
    let names = OptionTable.repairing.flatMap(\.names)
    #expect(Set(names).count == names.count)
    guard case .print(let help) = try Invocation(parsing: ["help", "repair"]) else {
      Issue.record("no help")
      return
    }
    #expect(names.allSatisfy { help.contains($0) })
  }
}
