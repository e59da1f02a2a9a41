import Sheaf

/// Downloads what is in a queue's file, and the URLs that are given besides, two at a time.
@main
enum QueueAcrossRestarts {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print("error: \(error)")
    }
  }

  private static func run(_ arguments: [String]) async throws(DownloadError) {
    guard let file = arguments.first else { return print("usage: example-queue FILE [URL...]") }
    let queue = try DownloadQueue(restoredFrom: file, maximumConcurrentDownloads: 2)
    print("\(queue.count) left from before")
    for url in arguments.dropFirst() { queue.add(try Download(url, to: .directory("."))) }
    await withTaskGroup { group in
      for download in queue.downloads {
        // What was paused in an earlier run goes on in this one.
        download.resume()
        group.addTask {
          do throws(DownloadError) {
            let file = try await download.value
            print("\(file.path): \(file.bytes) bytes, \(file.resumedBytes) of them from before")
          } catch {
            print("\(download.name): \(error)")
          }
        }
      }
    }
    try await queue.saved()
  }
}
