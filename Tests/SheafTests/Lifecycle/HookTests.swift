import Sheaf
import Synchronization
import TestSupport
import Testing

@Suite("What a download asks its program")
struct HookTests {
  private static let entity = Entity(seed: 101, size: 20 << 20)

  /// Who has the right name and password gets the file, everybody else 401.
  private static let login = Behaviour.correct.status(
    401, on: Occasion { $0.request.headers["Authorization"] != "Basic bWU6cmlnaHQ=" })

  @Test("an expired link is renewed, with other header fields, and what is there stays")
  func refreshed() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(
      entity: Self.entity, behaviour: .correct.stalling(after: 2 << 20, on: .first(1)).status(403, on: .after(1)))
    origin.serve(Self.entity, at: "/fresh.bin")
    let asked = Mutex<[DownloadHooks.ExpiredLink]>([])
    let fresh = origin.url("/fresh.bin")
    let fetched = try await fetch(origin.url + "?signature=old", to: directory) { options in
      options.timeout = .seconds(2)
      options.headers = [HeaderField(name: "X-Key", value: "old")]
      options.hooks.refresh = { link in
        asked.withLock { $0.append(link) }
        return .init(url: fresh, headers: [HeaderField(name: "X-Key", value: "new")])
      }
    }
    #expect(fetched.code == nil)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    #expect(asked.withLock { $0.map(\.status) } == [403])
    #expect(asked.withLock { $0.first?.url.hasSuffix("?signature=old") } == true)
    let requests = origin.log.requests
    #expect(requests.filter { $0.path == "/fresh.bin" }.allSatisfy { $0.headers["X-Key"] == "new" })
    #expect(requests.contains { $0.path == "/fresh.bin" })
  }

  @Test("a renewed link to another file does not mix the two")
  func refreshedElsewhere() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(
      entity: Self.entity, behaviour: .correct.stalling(after: 2 << 20, on: .first(1)).status(403, on: .after(1)))
    let other = Entity(seed: 102, size: Self.entity.size)
    origin.serve(other, at: "/other.bin")
    let url = origin.url("/other.bin")
    let fetched = try await fetch(origin.url, to: directory) { options in
      options.timeout = .seconds(2)
      options.hooks.refresh = { _ in .init(url: url) }
    }
    if fetched.code == nil { #expect(other.difference(fromFileAt: directory.file("file.bin")) == nil) }
  }

  @Test("a renewed link at another origin is not sent the old secrets")
  func secrets() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: .correct.status(403))
    let other = try Origin(entity: Self.entity)
    let url = other.url
    let fetched = try await fetch(origin.url, to: directory) { options in
      options.headers = [HeaderField(name: "X-Key", value: "secret")]
      options.hooks.refresh = { _ in .init(url: url) }
    }
    #expect(fetched.code == nil)
    #expect(other.log.requests.allSatisfy { $0.headers["X-Key"] == nil })
  }

  @Test("a link that makes no sense is no link")
  func nonsense() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: .correct.status(403))
    let fetched = try await fetch(origin.url, to: directory) { options in
      options.hooks.refresh = { _ in .init(url: "ftp:nowhere") }
    }
    #expect(fetched.code == .authorization)
    #expect(fetched.warnings.contains { $0.contains("new link") })
  }

  @Test("credentials are asked for when the server wants them, and again if they are wrong")
  func authenticates() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.login)
    let asked = Mutex<[DownloadHooks.AuthenticationChallenge]>([])
    let fetched = try await fetch(origin.url, to: directory) { options in
      options.hooks.authenticate = { challenge in
        let count = asked.withLock { asked in
          asked.append(challenge)
          return asked.count
        }
        return .password(name: "me", password: count == 1 ? "wrong" : "right")
      }
    }
    #expect(fetched.code == nil)
    #expect(asked.withLock { $0.count } == 2)
    #expect(asked.withLock { $0.allSatisfy { $0.fields.contains { $0.hasPrefix("Basic") } } })
    let wrong = try await fetch(origin.url, to: directory, name: "other.bin") { options in
      options.hooks.authenticate = { _ in .bearer("wrong") }
    }
    #expect(wrong.code == .authorization)
    let nobody = try await fetch(origin.url, to: directory, name: "other.bin") { options in
      options.hooks.authenticate = { _ in nil }
    }
    #expect(nobody.code == .authorization)
  }

  @Test("a connection that is not allowed is not used, wherever a redirect leads")
  func connections() async throws {
    let directory = try TemporaryDirectory()
    let inner = try Origin(entity: Self.entity, host: 9)
    let origin = try Origin(
      entity: Self.entity, behaviour: .correct.redirecting(to: "http://127.0.0.9:\(inner.port)/file.bin"))
    let seen = Mutex<[DownloadHooks.Connection]>([])
    let fetched = try await fetch(origin.url, to: directory) { options in
      options.hooks.allowsConnection = { connection in
        seen.withLock { $0.append(connection) }
        return connection.address != "127.0.0.9"
      }
    }
    #expect(fetched.code == .redirects)
    #expect(inner.log.requests.isEmpty)
    #expect(seen.withLock { $0.last?.port } == Int(inner.port))
    #expect(directory.names() == [])
  }

  /// The server suggests `name` for whatever it serves.
  private static func suggesting(_ name: String) -> Behaviour {
    .correct.amending { _, answer in answer.headers["Content-Disposition"] = "attachment; filename=\"\(name)\"" }
  }

  private func fetchNamed(
    _ origin: Origin, in directory: TemporaryDirectory, _ configure: (inout DownloadOptions) -> Void
  ) async throws -> String {
    var options = DownloadOptions()
    options.durability = .off
    configure(&options)
    let download = try Download(origin.url, to: .directory(directory.path), options: options)
    let result = try await download.value
    #expect(result.path == download.path)
    return String(result.path.dropFirst(directory.path.count + 1))
  }

  @Test("the name comes from the URL, from the server, or from the program, and always stays in the directory")
  func names() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Entity(seed: 103, size: 1000), behaviour: Self.suggesting("../../big file.iso"))
    #expect(try await fetchNamed(origin, in: directory) { _ in } == "file.bin")
    #expect(try await fetchNamed(origin, in: directory) { $0.naming = .server } == "big file.iso")
    let asked = Mutex<[DownloadHooks.SuggestedName]>([])
    let name = try await fetchNamed(origin, in: directory) { options in
      options.naming = .server
      options.hooks.name = { suggestion in
        asked.withLock { $0.append(suggestion) }
        return "../.\(suggestion.name)"
      }
    }
    #expect(name == "_big file.iso")
    #expect(asked.withLock { $0.map(\.isSuggestedByServer) } == [true])
    #expect(try await fetchNamed(origin, in: directory) { $0.hooks.name = { "mine-\($0.name)" } } == "mine-file.bin")
    #expect(directory.names().sorted() == ["_big file.iso", "big file.iso", "file.bin", "mine-file.bin"])
  }
}
