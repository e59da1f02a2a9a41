import SheafCore

/// Cookies that servers have set, for the downloads that share it.
///
/// Which cookie goes to which request is libcurl's decision, by domain, path, `Secure`, expiry and the public suffix list.
/// What servers set on the way, on redirects too, is kept. All members may be used from any thread.
public final class CookieJar: Sendable {
  let share: CookieShare

  /// Makes an empty one.
  /// - Throws: `DownloadError` if there is no memory for it.
  public init() throws(DownloadError) {
    do throws(CurlFailure) {
      share = try CookieShare()
    } catch {
      throw DownloadError(Failure(.unknown, "no cookies can be kept: \(error.message)"))
    }
  }

  /// Adds the cookies of a file in the format of Netscape, which browsers' extensions, curl and wget write too.
  /// - Throws: `DownloadError` with code `usage` if it cannot be read, or others may read or change it, or a line is no cookie.
  public func load(_ path: String) throws(DownloadError) {
    do throws(Failure) {
      try read(path)
    } catch {
      throw DownloadError(error)
    }
  }

  private func read(_ path: String) throws(Failure) {
    let bytes = try SecretFile.read(path)
    for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      guard let text = String(validating: line.last == 13 ? line.dropLast() : line, as: UTF8.self) else {
        throw Failure(.usage, "\(printable(path)):\(index + 1): the line is not UTF-8")
      }
      let isComment = text.hasPrefix("#") && !text.hasPrefix("#HttpOnly_")
      if text.isEmpty || isComment { continue }
      guard text.split(separator: "\t", omittingEmptySubsequences: false).count == 7 else {
        throw Failure(
          .usage, "\(printable(path)):\(index + 1): the line is no cookie",
          suggestion: "each line needs seven fields with TABs between them, as in the format of Netscape")
      }
      do throws(CurlFailure) {
        try share.add(text)
      } catch {
        throw Failure(.unknown, "no cookies can be kept: \(error.message)")
      }
    }
  }

  /// Writes all cookies that have not expired to a file that only its owner can read, in the same format. It takes the place
  /// of an old one in one step. Those without an expiry, which browsers forget when they end, are written too.
  /// - Throws: `DownloadError` with code `file-io`.
  public func save(to path: String) throws(DownloadError) {
    do throws(Failure) {
      let lines = ["# Netscape HTTP Cookie File"] + share.all()
      try StateFile(path).replace(with: Array((lines.joined(separator: "\n") + "\n").utf8))
    } catch {
      throw DownloadError(error)
    }
  }
}
