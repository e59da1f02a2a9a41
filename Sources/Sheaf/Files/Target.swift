import SheafCore

/// Where the finished file, its part file and its manifest go.
struct Target: Sendable {
  let directory: String
  let name: String

  var partName: String { name + ".part" }
  var manifestName: String { name + ".sheaf" }

  var path: String { Self.path(of: name, in: directory) }

  static func path(of name: String, in directory: String) -> String {
    directory == "." ? name : directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// - Throws: a usage failure if the path names no file.
  init(_ destination: Destination, urlPath: String) throws(Failure) {
    switch destination {
    case .directory(let directory):
      self.directory = directory.isEmpty ? "." : directory
      name = fileName(fromURLPath: urlPath)
    case .file(let path):
      // By bytes, since a combining mark would hide the slash before it.
      let slash = UInt8(ascii: "/")
      guard let last = path.utf8.split(separator: slash).last.map({ String(Substring($0)) }), path.utf8.last != slash,
        last != ".", last != ".."
      else { throw Failure(.usage, "'\(printable(path))' does not name a file", suggestion: "use -d for a directory") }
      let parent = Substring(path.utf8.dropLast(last.utf8.count))
      // Without the slash before the name, but the root is nothing else.
      directory = parent.isEmpty ? "." : parent == "/" ? "/" : String(Substring(parent.utf8.dropLast()))
      name = last
    }
  }
}
