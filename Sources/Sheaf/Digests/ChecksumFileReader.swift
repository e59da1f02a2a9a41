#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// Reads checksum files, and lends directories to fetch them into, on the disk's thread.
actor ChecksumFileReader {
  /// What a fetched one is called in its directory.
  static let name = "checksums"

  nonisolated private let thread: SerialThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(thread: SerialThread) { self.thread = thread }

  /// - Throws: a failure for a file that cannot be read, is not a regular one, or is too large to list digests.
  func read(_ path: String) throws(Failure) -> [UInt8] { try readChecksumFile(path) }

  /// Makes a directory that nobody else can look into.
  func makeDirectory() throws(Failure) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/sheaf-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(SystemError("mkdtemp"), .directoryFailed, "creating", parent) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes such a directory and what a download may have left in it.
  func removeDirectory(_ path: String) {
    for suffix in ["", ".part", ".sheaf"] { unlink("\(path)/\(Self.name)\(suffix)") }
    rmdir(path)
  }
}

/// The bytes of a checksum file on this machine's disks.
func readChecksumFile(_ path: String) throws(Failure) -> [UInt8] {
  do throws(SystemError) {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw SystemError("open") }
    let file = LocalFile(FileDescriptor(owning: number))
    let status = try file.status()
    if status.st_mode & S_IFMT == S_IFREG, status.st_size <= ChecksumFile.largest {
      return try file.read(first: Int(status.st_size))
    }
  } catch {
    throw Failure(error, .openFailed, "opening", path)
  }
  throw Failure(.openFailed, "\(printable(path)) is not a checksum file")
}
