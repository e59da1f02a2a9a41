/// The part of all downloads that one of several runs carries out: every Nth, so that each run has about as many of the big
/// ones, wherever in the list they stand.
struct Shard: Equatable, Sendable {
  /// Which part, from 0.
  let index: Int
  let count: Int

  /// Whether the download at `position` of all, from 0, is one of them.
  func takes(_ position: Int) -> Bool { position % count == index }

  init(index: Int, of count: Int) {
    self.index = index
    self.count = count
  }

  /// Reads `K/N`, K from 1; `auto`, for what the variables of Slurm or AWS Batch say; or `auto/N`, for the variable of a
  /// Kubernetes Job, which does not know how many there are.
  ///
  /// It is read only where it was asked for: a run that took a part of its list because of a variable would surprise. For
  /// the same reason it is an error if there is none.
  init(_ argument: OptionArgument, environment: (String) -> String?) throws(UsageError) {
    let parts = argument.text.split(separator: "/", omittingEmptySubsequences: false)
    let count = parts.count == 2 ? Self.number(parts[1]) : nil
    if parts.first == "auto", parts.count == 1 || count ?? 0 > 0 {
      self = try Self.ofJob(argument.option, count: count, environment)
    } else if parts.count == 2, let number = Self.number(parts[0]), let count, 1...max(1, count) ~= number, count > 0 {
      self.init(index: number - 1, of: count)
    } else {
      throw argument.unlike("a part and how many there are, or auto", example: "1/4")
    }
  }

  private static func ofJob(
    _ option: String, count: Int?, _ environment: (String) -> String?
  ) throws(UsageError) -> Shard {
    func value(_ name: String) -> Int? { environment(name).flatMap { number($0[...]) } }
    let shard: (index: Int, count: Int)
    let job: String
    if let id = value("SLURM_ARRAY_TASK_ID"), let least = value("SLURM_ARRAY_TASK_MIN"),
      let tasks = value("SLURM_ARRAY_TASK_COUNT")
    {
      job = "the Slurm array"
      let step = max(1, value("SLURM_ARRAY_TASK_STEP") ?? 1)
      guard id >= least, (id - least) % step == 0, (id - least) / step < tasks else {
        throw UsageError(
          "\(option): the numbers of \(job) have gaps", suggestion: "use --array=1-N, or give K/N yourself")
      }
      shard = ((id - least) / step, tasks)
    } else if let index = value("AWS_BATCH_JOB_ARRAY_INDEX"), let size = value("AWS_BATCH_JOB_ARRAY_SIZE") ?? count {
      job = "the AWS Batch array"
      shard = (index, size)
    } else if let index = value("JOB_COMPLETION_INDEX") {
      job = "the Kubernetes Job"
      guard let count else {
        throw UsageError("\(option): \(job) does not say how many there are", suggestion: "write \(option)=auto/N")
      }
      shard = (index, count)
    } else {
      throw UsageError(
        "\(option): no job array says which part this is", suggestion: "write \(option)=K/N, such as 1/4")
    }
    guard count == nil || count == shard.count, 0..<max(1, shard.count) ~= shard.index, shard.count > 0 else {
      throw UsageError(
        "\(option): \(job) has part \(shard.index) of \(shard.count)\(count.map { ", not of \($0)" } ?? "")",
        suggestion: "give K/N yourself")
    }
    return Shard(index: shard.index, of: shard.count)
  }

  private static func number(_ digits: Substring) -> Int? {
    !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
  }
}
