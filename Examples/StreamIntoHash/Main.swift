import Foundation
import Sheaf

/// Prints the SHA-256 of a file that is never written to the disk: its bytes go from the connections to `sha256sum`.
@main
enum StreamIntoHash {
  static func main() async {
    guard let url = CommandLine.arguments.dropFirst().first else { return print("usage: example-hash URL") }
    do {
      let pipe = Pipe()
      let program = Process()
      program.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
      program.standardInput = pipe
      try program.run()
      let stream = try ByteStream(url)
      // What is not taken is not fetched: a slow reader slows the download down.
      for try await chunk in stream { try pipe.fileHandleForWriting.write(contentsOf: chunk) }
      try pipe.fileHandleForWriting.close()
      program.waitUntilExit()
      print(stream.result?.bytes ?? 0, "bytes, identity", stream.result?.identity.rawValue ?? "")
    } catch {
      print("error: \(error)")
    }
  }
}
