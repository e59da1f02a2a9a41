import Sheaf
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// All addresses of a host are used, and those that do not work are not used for long. 127.0.0.1 to 127.0.0.3 with one
/// port stand for the servers of one name.
@Suite("Addresses", .serialized)
struct AddressTests {
  static let entity = Entity(seed: 71, size: 40 << 20)

  private func fetch(
    _ origin: Origin, at addresses: String, to directory: TemporaryDirectory,
    _ configure: (inout DownloadOptions) -> Void = { _ in }
  ) async throws -> Fetched {
    try await SheafTests.fetch("http://files.example:\(origin.port)\(Origin.defaultPath)", to: directory) {
      $0.resolve = ["files.example:\(origin.port):\(addresses)"]
      $0.connections = 8
      configure(&$0)
    }
  }

  @Test("connections are shared among two working addresses")
  func two() async throws {
    let first = try Origin(entity: Self.entity, behaviour: .correct.rate(8 << 20))
    let second = try Origin(entity: Self.entity, behaviour: .correct.rate(8 << 20), port: first.port, host: 2)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(first, at: "127.0.0.1,127.0.0.2", to: directory)
    #expect(fetched.success.map { $0.fetchedBytes - $0.wastedBytes } == Self.entity.size)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    let counts = [first.log.connectionsAccepted, second.log.connectionsAccepted]
    #expect(counts.allSatisfy { $0 >= 3 }, "\(counts)")
    #expect(second.log.requests.allSatisfy { $0.headers["Host"] == "files.example:\(first.port)" })
  }

  @Test("an address that refuses is given up, wherever it stands", arguments: 0...2)
  func refusing(place: Int) async throws {
    let first = try Origin(entity: Self.entity, behaviour: .correct.rate(8 << 20))
    let second = try Origin(entity: Self.entity, behaviour: .correct.rate(8 << 20), port: first.port, host: 2)
    let directory = try TemporaryDirectory()
    var addresses = ["127.0.0.1", "127.0.0.2"]
    // Nobody listens there.
    addresses.insert("127.0.0.3", at: place)
    let fetched = try await fetch(first, at: addresses.joined(separator: ","), to: directory)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(first.log.connectionsAccepted > 0 && second.log.connectionsAccepted > 0)
    #expect(fetched.decisions.filter { $0.contains("127.0.0.3 does not answer") }.count >= 1)
  }

  @Test("an address that hangs is given up, wherever it stands", arguments: 0...1)
  func hanging(place: Int) async throws {
    let origin = try Origin(entity: Self.entity, behaviour: .correct.rate(8 << 20))
    let listener = try LoopbackSocket.listen(port: origin.port, host: 3, backlog: 0)
    var sockets = [listener]
    defer { for socket in sockets { close(socket) } }
    sockets += try LoopbackSocket.fill(port: origin.port, host: 3)
    let directory = try TemporaryDirectory()
    var addresses = ["127.0.0.1"]
    addresses.insert("127.0.0.3", at: place)
    let fetched = try await fetch(origin, at: addresses.joined(separator: ","), to: directory) {
      $0.connectTimeout = .seconds(1)
    }
    #expect(fetched.code == nil)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
  }

  @Test("an address with another version is given up, and nothing of it is mixed in")
  func otherVersion() async throws {
    let first = try Origin(entity: Self.entity, behaviour: .correct.rate(8 << 20))
    let other = Entity(seed: 72, size: Self.entity.size)
    let second = try Origin(entity: other, port: first.port, host: 2)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(first, at: "127.0.0.1,127.0.0.2", to: directory)
    #expect(fetched.code == nil)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(second.log.connectionsAccepted > 0)
    #expect(fetched.warnings.isEmpty, "\(fetched.warnings)")
    #expect(fetched.decisions.contains { $0.contains("another version") })
  }

  @Test("when no address works the download fails as it would with one")
  func none() async throws {
    let port = try LoopbackSocket.freePort()
    let directory = try TemporaryDirectory()
    let fetched = try await SheafTests.fetch("http://files.example:\(port)/file.bin", to: directory) {
      $0.resolve = ["files.example:\(port):127.0.0.2,127.0.0.3"]
      $0.maximumTries = 2
    }
    #expect(fetched.code == .network)
    #expect(directory.names().isEmpty)
  }

  @Test("an entry for another host or port changes nothing")
  func unrelated() async throws {
    let origin = try Origin(entity: Entity(seed: 73, size: 1 << 20))
    let directory = try TemporaryDirectory()
    let fetched = try await SheafTests.fetch(origin.url, to: directory) {
      $0.resolve = ["files.example:\(origin.port):127.0.0.3", "127.0.0.1:1:127.0.0.3"]
    }
    #expect(fetched.code == nil)
  }

  @Test("an entry that makes no sense is a mistake of usage")
  func nonsense() {
    var options = DownloadOptions()
    options.resolve = ["files.example:80"]
    #expect(throws: DownloadError.self) { try Download("http://files.example/", to: .directory("."), options: options) }
  }
}
