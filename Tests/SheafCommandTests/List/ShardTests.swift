import Testing

@testable import SheafCommand

@Suite("A shard")
struct ShardTests {
  static func shard(_ text: String, _ environment: [String: String] = [:]) throws -> Shard {
    try Shard(OptionArgument(option: "--shard", text: text), environment: { environment[$0] })
  }

  static let slurm = ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "4"]

  @Test("is the Kth of N, from 1")
  func explicit() throws {
    #expect(try Self.shard("1/1") == Shard(index: 0, of: 1))
    #expect(try Self.shard("4/4") == Shard(index: 3, of: 4))
  }

  @Test(
    "that makes no sense is refused",
    arguments: ["", "0/4", "5/4", "1", "1/0", "-1/4", "1/4/2", "a/b", "auto/0", "auto/x", "1/", "/4"])
  func bad(text: String) {
    #expect(throws: UsageError.self) { try Self.shard(text, Self.slurm) }
  }

  @Test("the shards of any number take every download exactly once", arguments: [1, 2, 3, 7])
  func tile(count: Int) {
    for position in 0..<50 {
      #expect((0..<count).count { Shard(index: $0, of: count).takes(position) } == 1)
    }
  }

  @Test("auto is what the job array says")
  func arrays() throws {
    #expect(try Self.shard("auto", Self.slurm) == Shard(index: 2, of: 4))
    var stepped = Self.slurm
    stepped["SLURM_ARRAY_TASK_STEP"] = "2"
    #expect(try Self.shard("auto/4", stepped) == Shard(index: 1, of: 4))
    #expect(
      try Self.shard("auto", ["AWS_BATCH_JOB_ARRAY_INDEX": "0", "AWS_BATCH_JOB_ARRAY_SIZE": "9"])
        == Shard(index: 0, of: 9))
    #expect(try Self.shard("auto/3", ["JOB_COMPLETION_INDEX": "2"]) == Shard(index: 2, of: 3))
  }

  @Test(
    "auto without an array, or with one that does not fit, is refused: all of the list would be a surprise, too",
    arguments: [
      ("auto", [:]), ("auto", ["JOB_COMPLETION_INDEX": "0"]), ("auto/2", ["JOB_COMPLETION_INDEX": "2"]),
      ("auto/3", ShardTests.slurm), ("auto", ["SLURM_ARRAY_TASK_ID": "3"]),
      (
        "auto",
        ["SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "3"]
      ), ("auto", ["AWS_BATCH_JOB_ARRAY_INDEX": "4", "AWS_BATCH_JOB_ARRAY_SIZE": "4"]),
    ] as [(String, [String: String])])
  func unfit(text: String, environment: [String: String]) {
    let error = #expect(throws: UsageError.self) { try Self.shard(text, environment) }
    #expect(error?.message.hasPrefix("--shard") == true)
  }

  @Test("without being asked, variables of an array change nothing")
  func notAsked() throws { #expect(try fetchOptions(["http://h/f"]).shard == nil) }
}
