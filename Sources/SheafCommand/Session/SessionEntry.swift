import Sheaf
import SheafCore

extension Order {
  /// The lines by which a list asks for this download again; nil for a mistake.
  ///
  /// No header fields and passwords are among them, wherever they came from. The URL stands as it was given: without what
  /// is secret in it, it may lead nowhere.
  /// - Parameter own: its options.
  func sessionLines(_ own: CommandOptions, gid: GID?) -> [String]? {
    var lines: [String]
    var settings: [String] = []
    switch self {
    case .mistaken: return nil
    case .argument(let url, _): lines = [([url] + own.download.mirrors).joined(separator: "\t")]
    case .described(let entry): lines = [([entry.url] + own.download.mirrors).joined(separator: "\t")]
    case .listed(let entry):
      lines = [([entry.url] + entry.mirrors).joined(separator: "\t")]
      settings = entry.settings.map(\.text).filter { text in
        let name = String(text.prefix { $0 != "=" })
        return !Configuration.secrets.contains(name) && !["gid", "out", "output", "dir"].contains(name)
      }
    }
    if let gid { settings.insert("gid=\(gid)", at: 0) }
    if let directory = own.directory { settings.append("dir=\(directory)") }
    if let output = own.output { settings.append("out=\(URLPattern.substituted(own.patternValues, in: output))") }
    if case .listed = self {
      // Its lines have it.
    } else {
      if let checksum = own.download.checksum { settings.append("checksum=\(checksum)") }
      if let file = own.download.checksumFile { settings.append("checksum-file=\(file)") }
    }
    // A list has no way to write a line break.
    lines += settings.filter { !$0.utf8.contains(10) && !$0.utf8.contains(13) }.map { " \($0)" }
    return lines
  }
}
