#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// A finished file and the digest that it should have. What it does blocks the thread that asks for it.
package struct FileVerification: Sendable {
  package let path: String
  /// Bytes that comparing reads.
  package let length: Int64
  /// The checksum file whose signature nobody has checked, if that is where the digest comes from.
  package let unprovenList: String?
  private let claim: DigestClaim

  /// Finds the file and its digest: `checksum`, or what `list`, a checksum file, has for its name, or what one of those
  /// beside it has.
  /// - Throws: `DownloadError` with code `checksum` if nothing says which digest it should have.
  package init(_ path: String, checksum: Checksum?, list: String?) throws(DownloadError) {
    do throws(Failure) {
      self.path = path
      length = try Self.withFile(path) { _, length in length }
      if let checksum {
        claim = DigestClaim(checksum.digest, source: nil)
        unprovenList = nil
      } else if let list {
        let file = ChecksumFile(parsing: try readChecksumFile(list), named: list)
        do throws(ChecksumFileProblem) {
          claim = DigestClaim(try file.digest(for: [Self.name(of: path)]), source: printable(list))
        } catch {
          throw Failure(.checksum, "\(printable(list)) \(error)", suggestion: "check that it belongs to this file")
        }
        unprovenList = file.isSigned ? list : nil
      } else {
        (claim, unprovenList) = try Self.search(beside: path)
      }
    } catch {
      throw DownloadError(error)
    }
  }

  private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

  private static func search(beside path: String) throws(Failure) -> (DigestClaim, unprovenList: String?) {
    let name = name(of: path)
    let directory = path.dropLast(name.utf8.count)
    for candidate in ChecksumFile.namesBeside(name) {
      let place = directory + candidate
      guard access(String(place), F_OK) == 0 else { continue }
      let file = ChecksumFile(parsing: try readChecksumFile(String(place)), named: candidate)
      guard let digest = try? file.digest(for: [name]) else { continue }
      return (DigestClaim(digest, source: printable(place)), file.isSigned ? String(place) : nil)
    }
    throw Failure(
      .checksum, "nothing says which digest \(printable(path)) must have",
      suggestion: "give --checksum or --checksum-file")
  }

  /// Reads the file and compares.
  /// - Parameter advanced: called with the number of bytes read since the last call.
  /// - Throws: `DownloadError` with code `checksum` for a file that has another digest.
  package func compare(_ advanced: (Int64) -> Void) throws(DownloadError) -> DigestCheck {
    do throws(Failure) {
      let algorithm = claim.digest.algorithm
      let context = DigestContext(algorithm)
      try Self.withFile(path) { file, length throws(Failure) in
        try file.read(ByteRange(0, length)) { bytes in
          context.update(bytes)
          advanced(Int64(bytes.count))
        }
      }
      let digest = context.finish()
      guard digest == claim.digest.bytes else {
        let wanted = claim.source.map { "\($0) says \(hexadecimal(claim.digest.bytes))" } ?? "another one was asked for"
        throw Failure(
          .checksum, "\(printable(path)): the \(algorithm.rawValue) digest is \(hexadecimal(digest)), but \(wanted)",
          suggestion: "fetch it again, or check whether the checksum is of this version")
      }
      return DigestCheck(claim)
    } catch {
      throw DownloadError(error)
    }
  }

  private static func withFile<Value>(
    _ path: String, _ body: (PartFile, _ length: Int64) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let file: PartFile
    let length: Int64
    do throws(SystemError) {
      let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard number >= 0 else { throw SystemError("open") }
      file = PartFile(path: path, file: LocalFile(FileDescriptor(owning: number)))
      let status = try file.file.status()
      length = status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : -1
    } catch {
      throw Failure(error, .openFailed, "opening", path)
    }
    guard length >= 0 else { throw Failure(.openFailed, "\(printable(path)) is not a regular file") }
    return try body(file, length)
  }
}
