import SheafCore
import Synchronization
import Testing

@testable import Sheaf

@Suite("Publishing together")
struct PublicationTests {
  /// Notes the order of steps.
  final class Diary: Sendable {
    private let lines = Mutex<[String]>([])
    var text: String { lines.withLock { $0.joined(separator: " ") } }
    func write(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// A place for names.
  final class Place: Sendable {
    let name: String
    let fails: Bool
    init(_ name: String, fails: Bool = false) {
      self.name = name
      self.fails = fails
    }
  }

  /// Fails at one of its steps, or at none.
  struct Scripted: Publication {
    let name: String
    let folder: Place
    let diary: Diary
    var failing = ""

    func prepare() throws(Failure) { try step("prepare") }
    func startWriteback() { diary.write("start:\(name)") }
    func sync() throws(Failure) { try step("sync") }
    func rename() throws(Failure) { try step("rename") }
    var place: ObjectIdentifier { ObjectIdentifier(folder) }
    func syncPlace() throws(Failure) {
      diary.write("place:\(folder.name)")
      if folder.fails { throw Failure(.fileIO, folder.name) }
    }
    func tidyUp() { diary.write("tidy:\(name)") }

    private func step(_ step: String) throws(Failure) {
      diary.write("\(step):\(name)")
      if step == failing { throw Failure(.fileIO, "\(step):\(name)") }
    }
  }

  let diary = Diary()
  let here = Place("here")
  let there = Place("there")

  func file(_ name: String, _ place: Place, failing: String = "") -> Scripted {
    Scripted(name: name, folder: place, diary: diary, failing: failing)
  }

  func failures(_ results: [Result<Void, Failure>]) -> [String] {
    results.map { result in
      if case .failure(let failure) = result { failure.message } else { "" }
    }
  }

  @Test("syncs bytes, then names, then each directory once, then tidies up")
  func order() {
    let results = publish([file("a", here), file("b", there), file("c", here)], isDurable: true)
    #expect(failures(results) == ["", "", ""])
    #expect(
      diary.text == """
        prepare:a prepare:b prepare:c start:a start:b start:c sync:a sync:b sync:c \
        rename:a rename:b rename:c place:here place:there tidy:a tidy:b tidy:c
        """)
  }

  @Test("a single file takes no step more than it needs")
  func single() {
    _ = publish([file("a", here)], isDurable: true)
    #expect(diary.text == "prepare:a sync:a rename:a place:here tidy:a")
  }

  @Test("leaves syncing out when it was not asked for")
  func quick() {
    _ = publish([file("a", here), file("b", here)], isDurable: false)
    #expect(diary.text == "prepare:a prepare:b rename:a rename:b tidy:a tidy:b")
  }

  @Test("a file that fails takes no further step and fails alone", arguments: ["prepare", "sync", "rename"])
  func oneFails(step: String) {
    let results = publish([file("a", here), file("b", there, failing: step), file("c", here)], isDurable: true)
    #expect(failures(results) == ["", "\(step):b", ""])
    let steps = ["prepare", "sync", "rename", "tidy"]
    for later in steps[(steps.firstIndex(of: step) ?? 0)...].dropFirst() {
      #expect(!diary.text.contains("\(later):b"))
    }
    // Without a new name in it there is nothing to sync there.
    #expect(!diary.text.contains("place:there"))
    #expect(diary.text.hasSuffix("tidy:c"))
  }

  @Test("a directory that cannot be synced fails all files named in it, and no others")
  func directoryFails() {
    let broken = Place("broken", fails: true)
    let results = publish([file("a", broken), file("b", here), file("c", broken)], isDurable: true)
    #expect(failures(results) == ["broken", "", "broken"])
    #expect(!diary.text.contains("tidy:a") && !diary.text.contains("tidy:c") && diary.text.contains("tidy:b"))
    #expect(diary.text.components(of: "place:broken") == 1)
  }

  @Test("takes all that are waiting as one group, and none waits for more")
  func groups() async {
    let thread = SerialThread(name: "test-publish")
    let publisher = Publisher(thread: thread)
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<200 {
        let one = file("\(index)", index % 2 == 0 ? here : there, failing: index % 10 == 3 ? "sync" : "")
        group.addTask {
          if case .success = await publisher.publish(one) { index % 10 != 3 } else { index % 10 == 3 }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(diary.text.components(of: "rename:") == 180)
    #expect(diary.text.components(of: "place:") <= 180)
    thread.stop()
  }
}

extension String {
  /// How often `part` is in it.
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
