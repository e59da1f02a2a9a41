import SheafCore

/// Computes the digest of the part file behind its contiguous frontier, while its pages are still cached, on the
/// hashing thread.
actor Digester {
  nonisolated private let thread: SerialThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let file: PartFile
  private let context: DigestContext
  private var position: Int64 = 0

  init(_ algorithm: DigestAlgorithm, of file: PartFile, thread: SerialThread) {
    self.file = file
    self.thread = thread
    context = DigestContext(algorithm)
  }

  /// Takes in everything before `frontier` that has not been taken in yet.
  func advance(to frontier: Int64) throws(Failure) {
    guard frontier > position else { return }
    try file.read(ByteRange(position, frontier)) { context.update($0) }
    position = frontier
  }

  /// The digest of the file of this length, all of it written; once.
  func finish(at length: Int64) throws(Failure) -> [UInt8] {
    try advance(to: length)
    return context.finish()
  }
}
