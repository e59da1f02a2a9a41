import SheafCore

/// That the bytes of a download go to a reader, in order, and into no file.
struct StreamOrder: Sendable {
  /// The first byte that is wanted.
  let start: Int64
  /// Bytes that may be fetched ahead of the reader.
  let window: Int64
  let buffer: StreamBuffer
  /// What is in the buffer, as what writes to a part file and reads from one knows it.
  let part: PartFile

  /// - Throws: a usage failure for values that make no sense.
  init(start: Int64, window: Int64, name: String) throws(Failure) {
    guard start >= 0, start <= .max / 4 else { throw Failure(.usage, "a stream cannot begin at byte \(start)") }
    guard window > 0, window <= .max / 4 else {
      throw Failure(.usage, "the window must be at least one byte, and fit into memory")
    }
    self.start = start
    // What the buffer, chunks on their way and connections need besides is part of the window, unless that is small.
    self.window = window > 16 * StreamBuffer.slack ? window / 8 * 7 : window
    buffer = try StreamBuffer(window: self.window, start: start)
    part = PartFile(path: name, file: buffer)
  }
}
