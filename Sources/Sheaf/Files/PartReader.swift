import SheafCore

/// Reads pieces of a file for those who must not wait for a disk themselves, on the hashing thread.
actor PartReader {
  nonisolated private let thread: SerialThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(thread: SerialThread) { self.thread = thread }

  /// The bytes of `range` in the part file or, when that has got its name, in the finished file.
  func read(_ range: ByteRange, of part: PartFile?, or target: Target, in files: any FileSystem) throws(Failure)
    -> [UInt8]
  {
    if let part { return try part.bytes(in: range) }
    let finished: (any OpenFile)?
    do throws(SystemError) {
      finished = try files.directory(at: target.directory).open(target.name, .reading)
    } catch {
      throw Failure(error, .openFailed, "reading", target.path)
    }
    guard let finished else { throw Failure(.openFailed, "\(printable(target.path)) has gone") }
    return try PartFile(path: target.path, file: finished).bytes(in: range)
  }
}

extension PartFile {
  /// The bytes of `range`.
  /// - Throws: a failure if the file ends before the range does.
  func bytes(in range: ByteRange) throws(Failure) -> [UInt8] {
    // The closure cannot carry typed errors.
    var result: Result<Int, Failure> = .success(0)
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(range.count)) { buffer, count in
      let whole = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<Int(range.count)])
      result = Result { () throws(Failure) in try read(into: whole, at: range.lower) }
      count = (try? result.get()) ?? 0
    }
    guard try result.get() == Int(range.count) else {
      throw Failure(.fileIO, "\(printable(path)) became shorter while it was in use")
    }
    return bytes
  }
}
