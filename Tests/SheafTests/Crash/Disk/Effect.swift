/// One step that a download took on the simulated disk. Files and directories are known by number.
enum Effect: Sendable {
  case madeFile(Int, owner: UInt32)
  case madeDirectory(Int)
  /// What a directory says about some names from now on, all at once.
  case named(in: Int, [String: Int?])
  case wrote(Int, Payload, at: Int, moment: Int)
  case sized(Int, to: Int, isCut: Bool, moment: Int)
  case setMode(Int, UInt32)
  case setAttribute(Int, String, [UInt8])
  /// All that was done to a file, or to the names in a directory, is on the disk.
  case synced(Int)
  /// The same, but neither mode nor attributes have to be.
  case syncedData(Int)
  /// The disk has refused what was pending, and the system has forgotten it.
  case failedToSync(Int)
  case noted(Milestone)
}

/// What a download may rely on from here on, whatever happens to the disk.
enum Milestone: Sendable {
  /// A checkpoint that vouches for these blocks has been taken.
  case saved(String, Set<Int>)
  /// The bytes are about to be thrown away.
  case forgot(String)
  /// Success has been reported.
  case published(String)
}
