#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf
import SheafCore

/// `sheaf status DIR...`: the unfinished downloads of directories.
enum Status {
  static func run(_ options: StatusOptions) -> ExitStatus {
    var status = ExitStatus.ok
    for directory in options.directories {
      guard let names = names(in: directory) else {
        let reason = String(cString: strerror(errno))
        DescriptorOutput.standardError.write(
          line: errorLine("cannot read the directory \(printable(directory)): \(reason)", "check its name"))
        status = .openFailed
        continue
      }
      for name in names {
        let path = directory == "." ? name : directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
        do throws(DownloadError) {
          let decoded = try ManifestReader.read(path)
          let target = String(path.dropLast(ending.utf8.count))
          let text = options.json ? json(target, decoded) : description(of: target, decoded)
          if DescriptorOutput.standardOutput.write(text) != nil { return .fileIO }
        } catch {
          DescriptorOutput.standardError.write(line: errorLine(error.message, error.suggestion))
          status = ExitStatus(error.code)
        }
      }
    }
    return status
  }

  private static let ending = ".sheaf"

  /// For people: a line with the facts, then the picture.
  static func description(of target: String, _ decoded: DecodedManifest, width: Int = 72) -> String {
    let manifest = decoded.manifest
    let present = Inspect.presentBytes(of: manifest)
    let percent = tenths(Double(present) / Double(max(1, manifest.total)) * 100)
    return """
      \(printable(target)): \(percent) %, \(humanSize(present)) of \(humanSize(manifest.total)), from \
      \(printable(manifest.source))
        [\(BlockPicture(manifest.blocks, width: width).text)]

      """
  }

  private static func json(_ target: String, _ decoded: DecodedManifest) -> String {
    JSON.object([("event", .string("status")), ("path", .string(target))] + Inspect.members(of: decoded)).text + "\n"
  }

  /// The manifests in a directory, in their order; nil if it cannot be read.
  private static func names(in directory: String) -> [String]? {
    guard let stream = opendir(directory) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        // The array's length is its type's; the name ends earlier, with a NUL.
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name.hasSuffix(ending), name != ending { names.append(name) }
    }
    return names.sorted()
  }
}
