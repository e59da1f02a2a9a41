/// What a download starts from.
extension DownloadMachine {
  package struct Settings: Sendable {
    package var connections = 16
    package var split: Int?
    /// Both numbers, given and equal, say how many there are to be; otherwise they say how many there may be.
    package var isPinned: Bool { split == connections }
    /// No more transfers than this at once, over so many hosts.
    package func mostTransfers(hosts: Int) -> Int { min(connections * max(1, hosts), split ?? Self.mostConnections) }
    private static let mostConnections = 256
    /// No more places than this are asked for one file, those that servers name included.
    package var mostSources = 16
    /// Nil leaves it to the planner.
    package var minimumSplitSize: Int64?
    package var retry = RetryPolicy()
    /// Seconds between checkpoints.
    package var checkpointInterval = 1.0
    /// The user gave a digest to be compared in the end: that proves more than any validator.
    package var hasDigest = false
    /// Whether a redirect may lead from https to http.
    package var allowsDowngrade = false
    /// Statuses after which somebody can be asked for another URL or for credentials.
    package var renewable: Set<Int> = []
    /// It is computed from the bytes in their order, and not from what the blocks are known to have.
    package var digestIsRead = true
    /// What is done with digests that servers offer, where the user gave none.
    package var verification = VerificationPolicy.auto

    /// How long the file must be, in bytes, if somebody other than a server has said so.
    package var expectedTotal: Int64?

    /// Slower than so many bytes per second, over `speedPeriod` seconds, it ends.
    package var leastSpeed: Int64?
    package var speedPeriod = 30.0

    /// After so many seconds it ends, complete or not.
    package var mostTime: Double?

    /// A file that turns out to be larger is not fetched.
    package var mostBytes: Int64?

    /// Bytes are handed to a reader in order and then forgotten, and no more than this many are fetched ahead of them; nil
    /// where they go into a file.
    package var window: Int64?

    /// The first byte that the reader wants.
    package var start: Int64 = 0

    package init() {}
  }

  /// What an earlier run left.
  package struct Resumed: Sendable {
    package var identity: Identity
    package var blocks: BlockMap
    package var complete: Bitmap
    /// The earlier run had another URL. Its validator was given for another resource then (RFC 9110 section 8.8), and
    /// servers make equal ones from equal lengths and times.
    package var isFromElsewhere: Bool
    /// Blocks to compare with the source, where it was not Sheaf that brought what is there; their neighbours stand and
    /// fall with them.
    package var samples: [Int]?

    package init(
      identity: Identity, blocks: BlockMap, complete: Bitmap, isFromElsewhere: Bool = false, samples: [Int]? = nil
    ) {
      self.identity = identity
      self.blocks = blocks
      self.complete = complete
      self.isFromElsewhere = isFromElsewhere
      self.samples = samples
    }

    /// Blocks to fetch again for proof that the new URL leads to the same bytes: the first, a middle and the last one.
    var proofs: [Int] {
      if let samples { return samples }
      let present = complete.ranges(where: true).flatMap { $0 }
      guard let first = present.first, let last = present.last else { return [] }
      return Set([first, present[present.count / 2], last]).sorted()
    }
  }
}
