import TestSupport
import Testing

@testable import SheafCommand

@Suite("Asking about a file")
struct ProbeCommandTests {
  @Test(
    "tells length, ranges, identity, name and redirects, and fetches nothing", arguments: [["probe"], ["--dry-run"]])
  func facts(arguments: [String]) async throws {
    let entity = Entity(seed: 1, size: 3_000_000)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(arguments + [origin.url + "?token=secret"], in: directory)
    #expect(run.status == .exited(0) && run.errors == "", "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first.map(String.init) == origin.url)
    #expect(lines.contains("  name      file.bin") && lines.contains("  length    3000000 bytes (2.9 MiB)"))
    #expect(
      lines.contains { $0.hasPrefix("  ranges    yes") } && lines.contains { $0.hasPrefix("  identity  strong, ETag ") }
    )
    #expect(!run.output.contains("secret") && directory.names() == [])
    #expect(origin.log.requests.count == 1 && origin.log.bytesSent < 3_000_000)
  }

  @Test("is one JSON object a line, errors included")
  func json() async throws {
    let origin = try Origin(entity: Entity(seed: 1, size: 5))
    let run = try await runSheaf(["probe", "--json", "-j1", origin.url, origin.url("/none")])
    #expect(run.status == .exited(3))
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[0].hasPrefix(
        #"{"event":"probe","download":1,"url":"\#(origin.url)","final_url":"\#(origin.url)","redirects":0,"name":"file.bin","total":5,"ranges":"#
      ), "\(lines[0])")
    #expect(lines[1].hasPrefix(#"{"event":"error","download":2,"#) && lines[1].contains(#""name":"not-found""#))
  }

  @Test(
    "offered digests and redirects are shown",
    arguments: [
      ("repr-digest-right", "  digest    sha-256="), ("redirects-5-times", "  leads to  "),
      ("redirects-5-times", "(5 redirects)"),
    ])
  func offers(behaviour: String, expected: String) async throws {
    let entity = Entity(seed: 1, size: 100)
    let named = try #require(NamedBehaviour.named(behaviour))
    let origin = try Origin(entity: entity, behaviour: named.behaviour(for: entity))
    let run = try await runSheaf(["probe", origin.url])
    #expect(run.status == .exited(0) && run.output.contains(expected), "\(run.output) \(run.errors)")
  }

  @Test("a usage error comes before the first request")
  func usage() async throws {
    let run = try await runSheaf(["probe", "ftp://h/x"])
    #expect(run.status == .exited(28))
  }
}
