import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Real file systems on loop devices: all stories on each.
struct FileSystemRun {
  let options: SoakOptions

  #if os(Linux)
    private struct Book: Sendable {
      var tally = Tally()
      /// What could not be played here, and why.
      var skipped: [String: String] = [:]
    }

    func play() async throws -> Tally {
      let rounds = options.cycles(quick: 1, full: 20)
      let seed = options.seed
      let book = Monitor(Book())
      let kinds = LoopDisk.Kind.allCases
      _ = await Lanes(.fileSystems, options, count: 2).play(kinds.count) { index in
        Self.play(kinds[index], seeds: (0..<rounds).map { seed &+ UInt64($0) }, book)
      }
      // Counted are the stories, not the file systems.
      var tally = book.read { $0.tally }
      tally.remarks = book.read { $0.skipped }.sorted { $0.key < $1.key }.map { "skipped: \($0.key): \($0.value)" }
      return tally
    }

    private static func play(_ kind: LoopDisk.Kind, seeds: [UInt64], _ book: Monitor<Book>) -> [String] {
      var all: [String] = []
      func enter(_ name: String, _ work: () throws -> [String]) {
        do {
          let complaints = try work().map { "\(name): \($0)" }
          book.withLock { $0.tally.add(complaints) }
          all += complaints
        } catch let reason as LoopDisk.Unavailable {
          book.withLock { $0.skipped[name] = reason.description }
        } catch {
          book.withLock { $0.tally.add(["\(error)"]) }
          all.append("\(name): could not be played: \(error)")
        }
      }
      enter(kind.rawValue) {
        let disk = try LoopDisk(kind)
        for seed in seeds {
          for story in DiskStory.all {
            enter("\(kind.rawValue), \(story.name)") { try story.play(DiskStage(disk, seed: seed)) }
          }
        }
        return []
      }
      return all
    }
  #else
    func play() async throws -> Tally { Tally(remarks: ["skipped: no loop devices"]) }
  #endif
}
