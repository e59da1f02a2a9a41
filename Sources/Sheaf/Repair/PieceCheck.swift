import SheafCore

/// Compares pieces of a file with their digests, on the hashing thread.
///
/// The file may be one that a download is still writing, as long as the pieces asked about are all there
/// (`PieceHashes.pieces(within:)`).
actor PieceCheck {
  nonisolated private let thread: SerialThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  nonisolated let hashes: PieceHashes
  private let file: PartFile

  init(_ hashes: PieceHashes, of file: PartFile, thread: SerialThread) {
    self.hashes = hashes
    self.file = file
    self.thread = thread
  }

  /// Reads these pieces and returns those that have another digest than they should. The thread is taken for as long as
  /// that takes: `stride` says how many pieces are enough for one turn.
  /// - Throws: a failure if the file cannot be read, or ends before a piece does.
  func differing(among indices: some Sequence<Int> & Sendable) throws(Failure) -> [Int] {
    var differing: [Int] = []
    for index in indices {
      let context = DigestContext(hashes.algorithm)
      try file.read(hashes.range(of: index)) { context.update($0) }
      if context.finish() != hashes.digests[index].bytes { differing.append(index) }
    }
    return differing
  }

  /// So many pieces are about 16 MiB.
  nonisolated var stride: Int { Int(max(1, DownloadRun.digestStride / hashes.pieceLength)) }
}
