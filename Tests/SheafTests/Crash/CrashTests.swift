import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Every state that a power cut can leave the disk in is recovered from. `docs/durability.md` says what is tried.
///
/// With `SHEAF_CRASH=n` there are n times the samples, and every recovery is cut short as well.
@Suite("Power cuts")
struct CrashTests {
  /// 0 for the quick run.
  static let effort = getenv("SHEAF_CRASH").flatMap { Int(String(cString: $0)) } ?? 0

  private func survey(_ scene: Scene, stride: Int = 1, seed: UInt64 = 1) async throws -> CrashSurvey {
    var survey = CrashSurvey(scene, seed: seed)
    survey.stride = Self.effort > 0 ? 1 : stride
    if Self.effort > 0 {
      survey.samples *= Self.effort
      survey.secondCut = 1
    }
    try await survey.run()
    return survey
  }

  @Test("no power cut makes a claim wrong, a file wrong or a checkpoint void")
  func powerCuts() async throws {
    var (cuts, disks, second) = (0, 0, 0)
    try await withThrowingTaskGroup(of: (Story, CrashSurvey).self) { group in
      for story in Story.allCases {
        group.addTask { (story, try await survey(try await story.scene(), stride: story == .fresh ? 1 : 8)) }
      }
      for try await (story, survey) in group {
        let (name, complaints) = (story.rawValue, survey.complaints)
        print("\(name): \(survey.cuts) power cuts, \(survey.disks) disks, \(survey.secondDisks) cut again")
        #expect(complaints.isEmpty, "\(name): \(complaints.count), \(complaints.prefix(3))")
        #expect(survey.disks > 10)
        cuts += survey.cuts
        disks += survey.disks
        second += survey.secondDisks
      }
    }
    print("crash states: \(cuts) power cuts, which left \(disks) different disks; \(second) recoveries cut short")
  }

  @Test("nor after any sync that failed", arguments: [Story.fresh, .resumed, .changed, .small, .group])
  func failedSyncs(story: Story) async throws {
    var scene = try await story.scene()
    var (cuts, disks, failing) = (0, 0, 1)
    while true {
      scene.faults.failingSync = failing
      let survey = try await survey(scene, stride: 8, seed: UInt64(failing))
      #expect(survey.complaints.isEmpty, "sync \(failing): \(survey.complaints.prefix(3))")
      cuts += survey.cuts
      disks += survey.disks
      if survey.syncs < failing { break }
      failing += 1
    }
    print("failed syncs: \(story.rawValue): \(failing - 1) syncs, \(cuts) cuts, \(disks) disks")
  }

  @Test("a download over four connections is as safe as its parts")
  func wholeDownload() async throws {
    let whole = WholeDownload(seed: 9)
    let disk = SimulatedDisk()
    let result = try await whole.run(on: disk)
    #expect(throws: Never.self) { try result.get() }
    disk.note(.published("file.bin"))
    var survey = CrashSurvey(Scene(jobs: [whole.job]))
    try await survey.sample(disk.record, count: 100 * max(1, Self.effort))
    #expect(survey.complaints.isEmpty, "\(survey.complaints.count), \(survey.complaints.prefix(3))")
    print("a whole download: \(disk.record.count) steps, \(disk.syncCount) syncs, \(survey.disks) disks")
  }

  @Test("every mutant is caught", arguments: Mutant.allCases)
  func mutants(mutant: Mutant) async throws {
    var caught: String?
    for story in Story.allCases where caught == nil {
      var scene = try await story.scene()
      for failing in mutant == .ignoresFailedSync ? Array(1...6) : [nil] as [Int?] where caught == nil {
        scene.faults.failingSync = failing
        var survey = CrashSurvey(scene, mutant: mutant)
        survey.stopsAtFirstComplaint = true
        try await survey.run()
        caught = survey.complaints.first.map { "\(story.rawValue): \($0)" }
      }
    }
    print("mutant that \(mutant.rawValue): \(caught ?? "not caught")")
    #expect(caught != nil)
  }
}
