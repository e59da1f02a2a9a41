import Sheaf
import TestSupport
import Testing

/// How many connections there are, where each brings as much as the server lets it.
@Suite("Connections", .serialized)
struct ConnectionTests {
  @Test("climbs beyond the first wave where more connections bring more, and only where the user allows it")
  func climbs() async throws {
    let entity = Entity(seed: 91, size: 32 << 20)
    let origin = try Origin(entity: entity, behaviour: .correct.rate(512 << 10))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.connections = 40 }
    #expect(entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(fetched.success.map { $0.connectionsPeak > 16 && $0.connectionsPeak <= 40 } == true)
    #expect(fetched.decisions.contains { $0.contains("trying 32 connections") }, "\(fetched.decisions)")
    #expect(origin.log.concurrentRequestsPeak <= 40)
  }

  @Test("downloads of one host share its connections, and none goes without")
  func shares() async throws {
    let entity = Entity(seed: 92, size: 24 << 20)
    let origin = try Origin(entity: entity, behaviour: .correct.rate(2 << 20))
    let directory = try TemporaryDirectory()
    let downloads = try await withThrowingTaskGroup(of: Fetched.self) { group in
      for number in 0..<3 {
        group.addTask {
          try await fetch(origin.url, to: directory, name: "file\(number).bin") { $0.connections = 9 }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for number in 0..<3 { #expect(entity.difference(fromFileAt: directory.file("file\(number).bin")) == nil) }
    let peaks = downloads.compactMap { $0.success?.connectionsPeak }
    #expect(peaks.count == 3 && peaks.allSatisfy { $0 > 1 }, "\(peaks)")
    #expect(origin.log.concurrentRequestsPeak <= 9)
  }
}
