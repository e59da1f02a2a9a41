import SheafCore

/// Names and passwords from a netrc file, each for one host.
///
/// A download whose URL has no user information of its own, and no `Authorization` among its header fields, uses the
/// entry for its host. Like all secrets it goes only to the origin (scheme, host, port) of that URL, not to where a
/// redirect leads, even if there is an entry for that host. An entry `default` is not used.
public struct Netrc: Sendable {
  private let file: NetrcFile

  /// Reads the file at `path`, once.
  /// - Throws: `DownloadError` with code `usage` if it cannot be read, others may read or change it, or it makes no sense.
  public init(path: String) throws(DownloadError) {
    do throws(Failure) {
      file = try Self.read(path)
    } catch {
      throw DownloadError(error)
    }
  }

  private static func read(_ path: String) throws(Failure) -> NetrcFile {
    let bytes = try SecretFile.read(path)
    do throws(NetrcFile.Problem) {
      return try NetrcFile(parsing: bytes)
    } catch {
      throw Failure(
        .usage, "\(printable(path)):\(error.line): \(error.message)",
        suggestion: "write machine HOST login NAME password TEXT")
    }
  }

  func login(for host: String) -> Login? { file.login(for: host) }
}
