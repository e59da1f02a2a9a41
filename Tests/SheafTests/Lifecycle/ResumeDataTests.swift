import Sheaf
import TestSupport
import Testing

@Suite("Resume data")
struct ResumeDataTests {
  private static let entity = Entity(seed: 71, size: 40 << 20)

  private static var options: DownloadOptions {
    var options = DownloadOptions()
    options.durability = .off
    // Each brings some whole blocks before the pause.
    options.connections = 2
    options.checkpointInterval = .milliseconds(5)
    return options
  }

  /// Two requests bring 3 MiB each and fall silent, and no other is answered: never complete, however late the pause comes.
  private static let halfway = Behaviour.correct
    .stalling(after: 3 << 20, on: .first(2))
    .cut(.head(after: 0), .stall, on: .after(2))

  /// What a download that was paused in the middle gives away.
  private func interrupted(_ origin: Origin, in directory: TemporaryDirectory) async throws -> ResumeData {
    let download = try Download(origin.url, to: .file(directory.file("file.bin")), options: Self.options)
    #expect(await download.resumeData == nil)
    let (events, progress) = (download.events, download.progress)
    download.start()
    for await one in progress where one.bytes >= 2 << 20 { break }
    download.pause()
    await events.first(.paused)
    origin.serve(Self.entity)
    return try #require(await download.resumeData)
  }

  @Test("goes on where the download was paused, after a way through bytes")
  func goesOn() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let data = try ResumeData(bytes: try await interrupted(origin, in: directory).bytes)
    #expect(data.length == Self.entity.size)
    #expect(data.etag != nil)
    let result = try await Download(resuming: data, options: Self.options).value
    #expect(result.resumedBytes > 0)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("goes on from a new URL")
  func newURL() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let data = try await interrupted(origin, in: directory)
    origin.serve(Self.entity, at: "/new.bin")
    // What is kept besides the blocks that are fetched again for proof depends on how much there is.
    _ = try await Download(resuming: data, from: origin.url("/new.bin?token=2"), options: Self.options).value
    #expect(!origin.log.requests(for: "/new.bin").isEmpty)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("without its part file it starts over and says so")
  func lost() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let data = try await interrupted(origin, in: directory)
    try directory.remove("file.bin.part")
    try directory.remove("file.bin.sheaf")
    let fetched = await Fetched(try Download(resuming: data, options: Self.options))
    #expect(fetched.success?.resumedBytes == 0)
    #expect(fetched.warnings.contains { $0.contains("starting over") })
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("with another file at its URL it starts over")
  func changed() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let data = try await interrupted(origin, in: directory)
    let other = Entity(seed: 72, size: Self.entity.size)
    origin.serve(other)
    let fetched = await Fetched(try Download(resuming: data, options: Self.options))
    #expect(fetched.success?.resumedBytes == 0)
    #expect(
      fetched.events.contains { if case .identityChanged = $0 { true } else { false } })
    #expect(other.difference(fromFileAt: directory.file("file.bin")) == nil)
  }

  @Test(
    "what is not resume data is refused",
    arguments: [
      "", "{}", "[]", "null", "plist", "{\"sheaf\":\"resume\"}", "\u{0}\u{1}",
      #"{"sheaf":"resume","version":2,"url":"http://h/f","path":"/f","length":1}"#,
      #"{"sheaf":"resume","version":1,"url":"http://h/f","path":"f","length":1}"#,
      #"{"sheaf":"resume","version":1,"url":"http://h/f","path":"/","length":1}"#,
      #"{"sheaf":"resume","version":1,"url":"http://h/f","path":"/a/..","length":1}"#,
      #"{"sheaf":"resume","version":1,"url":"file:///etc/passwd","path":"/f","length":1}"#,
      #"{"sheaf":"resume","version":1,"url":"http://h/f","path":"/f","length":-1}"#,
      #"{"sheaf":"resume","version":1,"url":"http://h/f","path":"/f","length":1e3}"#,
      #"{"sheaf":"resume","version":1,"url":"http://h/f","path":"/f","length":1,"etag":7}"#,
      #"{"sheaf":"resume","version":1,"url":"http://h/f","url":"http://h/g","path":"/f","length":1}"#,
      #"{"sheaf":"resume","version":1,"url":"http://h/f","path":"/f","length":1} x"#,
    ])
  func refused(text: String) {
    #expect {
      _ = try ResumeData(bytes: text.utf8)
    } throws: { error in
      (error as? DownloadError)?.code == .invalidResumeData
    }
  }
}
