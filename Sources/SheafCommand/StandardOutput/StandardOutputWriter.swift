#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf
import SheafCore

/// Writes a stream's bytes to standard output, on a thread of its own: whoever reads them may take as long as they like.
actor StandardOutputWriter {
  nonisolated private let thread: SerialThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let output: DescriptorOutput
  private let decoder: GzipStream?

  /// The larger the pipe, the less often two programs wait for each other.
  private static let pipeSize: Int32 = 1 << 20
  private static let pieceSize = 256 << 10

  /// - Parameter decompresses: the bytes are gzip, and what they come to is written.
  init(_ output: DescriptorOutput = .standardOutput, decompresses: Bool) throws(Failure) {
    self.output = output
    decoder = decompresses ? try GzipStream() : nil
    thread = SerialThread(name: "sheaf-output")
    #if os(Linux)
      // F_SETPIPE_SZ; what is no pipe, or a system that allows no more, says no, and nothing is lost.
      _ = fcntl(output.descriptor, 1031, Self.pipeSize)
    #endif
  }

  /// Returns when all of it is written.
  /// - Throws: a failure if it cannot be written, or decoded.
  func write(_ bytes: [UInt8]) throws(Failure) {
    guard let decoder else { return try put(bytes) }
    var rest = bytes[...]
    var isMore = true
    while isMore {
      let piece: [UInt8]
      do throws(Failure) {
        piece = try decoder.decode(&rest, atMost: Self.pieceSize)
      } catch {
        throw Self.damaged
      }
      try put(piece)
      isMore = !rest.isEmpty || piece.count == Self.pieceSize
    }
  }

  private func put(_ bytes: [UInt8]) throws(Failure) {
    // The closure cannot carry typed errors.
    try bytes.withUnsafeBytes { bytes in Result { () throws(Failure) in try write(bytes) } }.get()
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    switch output.write(bytes) {
    case nil: return
    case EPIPE: throw Failure(.fileIO, "standard output was closed before all was written")
    case ENOSPC, EDQUOT: throw Failure(.diskFull, "no space left for standard output")
    case let error?:
      throw Failure(.fileIO, "cannot write to standard output: \(String(cString: strerror(error)))")
    }
  }

  /// Says that there is no more.
  /// - Throws: a failure if what was decoded is not complete.
  func finish() throws(Failure) {
    if let decoder, !decoder.mayEnd { throw Self.damaged }
  }

  private static let damaged = Failure(
    .badResponse, "the file is no gzip, damaged, or cut short",
    suggestion: "try without --decompress to see what it is")
}
