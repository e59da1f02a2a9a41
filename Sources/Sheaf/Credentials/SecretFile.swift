package import SheafCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file with secrets, such as passwords or header fields: only its owner may be able to read or change it.
package enum SecretFile {
  private static let largest = 1 << 20

  /// What pipes have given, by their numbers: they give it once, and options may be looked at more than once.
  private static let piped = Mutex<[Pipe: [UInt8]]>([:])

  private struct Pipe: Hashable {
    let device: dev_t
    let number: ino_t
  }

  /// All bytes of the file, or of a pipe, which nobody else sees.
  /// - Parameter holdsSecrets: whether these bytes must not be read by others. Whatever they are, others must not change them.
  /// - Throws: a usage failure that repeats nothing of the contents.
  package static func read(
    _ path: String, holdsSecrets: ([UInt8]) -> Bool = { _ in true }
  ) throws(Failure) -> [UInt8] {
    let name = printable(path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.usage, "cannot open \(name): \(String(cString: strerror(errno)))", suggestion: "check its name")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw Failure(.usage, "cannot look at \(name): \(String(cString: strerror(errno)))")
    }
    // By the descriptor: a name may lead elsewhere the next moment.
    let isPipe = status.st_mode & S_IFMT == S_IFIFO
    guard isPipe || status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.usage, "\(name) is neither a file nor a pipe")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw Failure(.usage, "\(name) belongs to another user", suggestion: "use a file of your own")
    }
    guard isPipe || status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw Failure(.usage, "others may change \(name)", suggestion: "chmod 600 \(name)")
    }
    let pipe = Pipe(device: status.st_dev, number: status.st_ino)
    if isPipe, let bytes = piped.withLock({ $0[pipe] }) { return bytes }
    let bytes = try bytes(of: descriptor, name)
    if isPipe { piped.withLock { $0[pipe] = bytes } }
    guard isPipe || status.st_mode & (S_IRWXG | S_IRWXO) == 0 || !holdsSecrets(bytes) else {
      throw Failure(.usage, "others may read \(name), which holds secrets", suggestion: "chmod 600 \(name)")
    }
    return bytes
  }

  private static func bytes(of descriptor: Int32, _ name: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure(.usage, "cannot read \(name): \(String(cString: strerror(errno)))")
      }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
      guard bytes.count <= largest else { throw Failure(.usage, "\(name) is larger than a file with secrets can be") }
    }
  }
}

// Under this name because the method above hides the function.
private let systemRead = read
