#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Entity {
  /// Whether the file holds exactly the entity's bytes.
  package func matches(fileAt path: String) -> Bool { difference(fromFileAt: path) == nil }

  /// What is wrong with the file, in words, or nil when it holds exactly the entity's bytes.
  package func difference(fromFileAt path: String) -> String? {
    difference(fromFileAt: path, in: 0..<size, wholeFile: true)
  }

  /// What is wrong with one range of the file, in words; what lies outside it is not looked at.
  package func difference(fromFileAt path: String, in range: Range<Int64>) -> String? {
    difference(fromFileAt: path, in: range, wholeFile: false)
  }

  /// Writes the entity to a new file, or over an old one.
  package func write(toFileAt path: String) throws(SystemCallFailure) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw SystemCallFailure("open \(path)") }
    defer { close(file) }
    var failure: SystemCallFailure?
    forEachPiece(of: 0..<size) { piece, offset in
      if pwrite(file, piece.baseAddress, piece.count, off_t(offset)) != piece.count {
        failure = SystemCallFailure("write \(path)")
      }
      return failure == nil
    }
    if let failure { throw failure }
  }

  private func difference(fromFileAt path: String, in range: Range<Int64>, wholeFile: Bool) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return SystemCallFailure("open \(path)").description }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return SystemCallFailure("fstat \(path)").description }
    if wholeFile, Int64(status.st_size) != size { return "\(path) has \(status.st_size) bytes instead of \(size)" }
    let read = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
    defer { read.deallocate() }
    var difference: String?
    forEachPiece(of: range) { piece, offset in
      let count = pread(file, read.baseAddress, piece.count, off_t(offset))
      if count != piece.count {
        difference = "\(path) could be read for \(count) of the \(piece.count) bytes at \(offset)"
      } else if memcmp(read.baseAddress!, piece.baseAddress!, count) != 0 {
        let first = (0..<count).first { read[$0] != piece[$0] } ?? 0
        difference = "\(path) differs from the entity first at byte \(offset + Int64(first))"
      }
      return difference == nil
    }
    return difference
  }
}
