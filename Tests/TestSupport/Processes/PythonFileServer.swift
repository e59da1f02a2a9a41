#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Python's `http.server` on loopback: a real server that has no ranges. Stopped when the last reference goes.
package final class PythonFileServer: Sendable {
  package struct DidNotStart: Error, CustomStringConvertible {
    package let description: String
  }

  package let port: UInt16
  package let root: String
  private let process: ChildProcess

  /// Serves a directory; blocks until it listens.
  package init(root: String) throws {
    self.root = root
    process = try ChildProcess(
      "python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", root])
    // It chooses its port itself and says so: "Serving HTTP on 127.0.0.1 port 43567 (http://...".
    guard let line = process.line(containing: " port "),
      let port = line.firstRange(of: " port ").flatMap({ UInt16(line[$0.upperBound...].prefix { $0.isNumber }) })
    else { throw DidNotStart(description: "python3 -m http.server did not start: \(process.text(of: .errors))") }
    self.port = port
  }

  deinit {
    process.kill(SIGTERM)
    process.wait()
  }

  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
