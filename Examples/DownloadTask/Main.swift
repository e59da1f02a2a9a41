import Foundation
import SheafFoundation

/// Fetches a file; interrupted after a second, it goes on from resume data.
@main
enum Main {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let url = URL(string: arguments[1]) else {
      return print("usage: example-task URL DIRECTORY")
    }
    do throws(DownloadError) {
      let task = try DownloadTask(with: url, directory: URL(fileURLWithPath: arguments[2]))
      task.resume()
      try? await Task.sleep(for: .seconds(1))
      guard let data = await task.cancelByProducingResumeData() else {
        return print("finished, or nothing that could be continued")
      }
      let resumed = try DownloadTask(withResumeData: data)
      resumed.observe(
        didResumeAtOffset: { print("resumed at \($0)") }, didWrite: { _ in }, didFinish: { _ in })
      print("\(try await resumed.value.path) is complete")
    } catch {
      print("error: \(error)")
    }
  }
}
