#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A directory of its own for a test, removed with all that is in it when the last reference goes.
package final class TemporaryDirectory: Sendable {
  package let path: String

  /// In `parent`, or where the system keeps temporary files.
  package init(in parent: String? = nil) throws(SystemCallFailure) {
    let parent = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    guard
      let made = "\(parent)/sheaf-test-XXXXXX".withCString({ template -> String? in
        let name = strdup(template)
        defer { free(name) }
        return name.flatMap(mkdtemp).map { String(cString: $0) }
      })
    else { throw SystemCallFailure("mkdtemp in \(parent)") }
    path = made
  }

  deinit {
    Self.remove(path)
  }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in it, sorted.
  package func names() -> [String] { Self.names(in: path) }

  package func remove(_ name: String) throws(SystemCallFailure) {
    guard unlink(file(name)) == 0 else { throw SystemCallFailure("unlink \(file(name))") }
  }

  package func write(_ text: String, to name: String) throws(SystemCallFailure) {
    try write(Array(text.utf8), to: name)
  }

  package func write(_ bytes: [UInt8], to name: String) throws(SystemCallFailure) {
    let path = file(name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemCallFailure("open \(path)") }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress! + written, bytes.count - written, off_t(written))
      }
      guard count > 0 else { throw SystemCallFailure("write \(path)") }
      written += count
    }
  }

  /// The content of a file that fits in memory.
  package func read(_ name: String) throws(SystemCallFailure) -> [UInt8] {
    let path = file(name)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCallFailure("open \(path)") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
      guard count >= 0 else { throw SystemCallFailure("read \(path)") }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }

  package static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Never follows a symbolic link.
  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    // A test may have made it unreadable.
    chmod(path, 0o700)
    for name in names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
