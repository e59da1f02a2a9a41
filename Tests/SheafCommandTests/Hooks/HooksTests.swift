import Testing

@testable import SheafCommand

@Suite("Hooks")
struct HooksTests {
  static let subject: HookCall.Subject = {
    var numbers = SystemRandomNumberGenerator()
    let gid = GID("00000000000000ff") ?? GID(using: &numbers)
    return HookCall.Subject(gid: gid, url: "http://u:secret@h/f?token=secret", path: "d/f")
  }()

  static func hooks(_ occasions: HookCall.Occasion...) -> Hooks {
    var hooks = Hooks()
    for occasion in occasions { hooks[occasion] = "run-\(occasion.rawValue)" }
    return hooks
  }

  @Test("are called as aria2 calls them, with the facts in the environment and no secret")
  func calls() {
    let call = Self.hooks(.complete).ended(Self.subject, .complete(bytes: 7))
    #expect(call?.command == "run-complete" && call?.arguments == ["00000000000000ff", "1", "d/f"])
    let facts = Dictionary(uniqueKeysWithValues: call?.environment.map { ($0.name, $0.value) } ?? [])
    #expect(
      facts == [
        "SHEAF_EVENT": "complete", "SHEAF_GID": "00000000000000ff", "SHEAF_URL": "http://h/f", "SHEAF_PATH": "d/f",
        "SHEAF_STATUS": "0", "SHEAF_STATUS_NAME": "ok", "SHEAF_BYTES": "7",
      ])
    let error = Self.hooks(.error).ended(Self.subject, .error(.notFound, "gone"))
    #expect(error?.environment.contains { $0 == ("SHEAF_STATUS", "3") } == true)
    #expect(error?.environment.contains { $0 == ("SHEAF_MESSAGE", "gone") } == true)
  }

  @Test("for stop stand in where there is none for how it ended, as in aria2")
  func stop() {
    let hooks = Self.hooks(.stop, .complete)
    #expect(hooks.ended(Self.subject, .complete(bytes: 0))?.command == "run-complete")
    #expect(hooks.ended(Self.subject, .error(.interrupted, ""))?.command == "run-stop")
    #expect(hooks.began(Self.subject) == nil && Self.hooks(.start).ended(Self.subject, .complete(bytes: 0)) == nil)
  }

  @Test(
    "a GID has 16 digits and is not zero",
    arguments: ["", "0", "0000000000000000", "00000000000000fg", "+0000000000000ff"])
  func badGID(text: String) { #expect(GID(text) == nil) }

  @Test("a GID is written as it was read, and new ones differ")
  func gids() {
    #expect(GID("00ABCDEF01234567")?.description == "00abcdef01234567")
    var numbers = SystemRandomNumberGenerator()
    let many = Set((0..<1000).map { _ in GID(using: &numbers) })
    #expect(many.count == 1000 && many.allSatisfy { GID($0.description) == $0 })
  }
}
