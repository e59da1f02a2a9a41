#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
package import SheafCore

/// Reads a manifest without a download, for people and programs that want to see it.
package enum ManifestReader {
  /// - Throws: `DownloadError` if there is no readable manifest at `path`.
  package static func read(_ path: String) throws(DownloadError) -> DecodedManifest {
    do throws(Failure) {
      return try decode(path)
    } catch {
      throw DownloadError(error)
    }
  }

  /// The manifest of a download to `target`, read on the disk's thread; nil if there is no usable one.
  static func manifest(of target: Target) async -> Manifest? {
    guard let engine = try? Engine.shared else { return nil }
    return await withCheckedContinuation { continuation in
      engine.disk.post {
        let path = Target.path(of: target.manifestName, in: target.directory)
        continuation.resume(returning: (try? decode(path))?.manifest)
      }
    }
  }

  private static func decode(_ path: String) throws(Failure) -> DecodedManifest {
    do {
      let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard number >= 0 else { throw SystemError("open") }
      let file = LocalFile(FileDescriptor(owning: number))
      let status = try file.status()
      guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= ManifestLayout.maximumFileSize else {
        throw Failure(.openFailed, "\(printable(path)) is not a manifest")
      }
      return try ManifestFormat(crc32: crc32(of:)).decode(try file.read(first: Int(status.st_size)))
    } catch let failure as Failure {
      throw failure
    } catch let problem as ManifestProblem {
      throw Failure(.openFailed, "\(printable(path)) is not a usable manifest: it \(problem)")
    } catch let error as SystemError {
      throw Failure(error, .openFailed, "opening", path)
    } catch {
      throw Failure(.openFailed, "cannot read \(printable(path))")
    }
  }
}
