import Sheaf

/// Loads tracks for a player, whose views live on the main actor and read what is here.
@MainActor
final class TrackLoader {
  /// A track as a view shows it.
  struct Track {
    let title: String
    /// 0 to 1.
    var loaded = 0.0
    /// Where the file is, once it is complete.
    var path: String?
    var problem: String?
  }

  private(set) var tracks: [Track] = []
  /// Called when something that a view shows has changed.
  var onChange: (Int) -> Void = { _ in }

  private var downloads: [Download] = []
  private let queue = DownloadQueue(maximumConcurrentDownloads: 2)

  /// Adds a track; it is loaded when it is its turn.
  func add(_ url: String) throws(DownloadError) {
    let download = try Download(url, to: .directory("."))
    let index = tracks.count
    tracks.append(Track(title: download.path))
    downloads.append(download)
    Task {
      for await progress in download.progress { change(index) { $0.loaded = progress.fraction ?? 0 } }
    }
    Task {
      do throws(DownloadError) {
        let file = try await download.value
        change(index) { ($0.loaded, $0.path) = (1, file.path) }
      } catch {
        change(index) { $0.problem = error.message }
      }
    }
    queue.add(download)
  }

  /// The next one in line is loaded meanwhile.
  func pause(_ index: Int) { downloads[index].pause() }
  func resume(_ index: Int) { downloads[index].resume() }
  /// Nothing of it stays.
  func cancel(_ index: Int) { downloads[index].cancel() }
  /// Loads a track before all others.
  func playNext(_ index: Int) { queue.setPriority(.high, of: downloads[index]) }

  func untilLoaded() async { await queue.untilEmpty() }

  private func change(_ index: Int, _ change: (inout Track) -> Void) {
    change(&tracks[index])
    onChange(index)
  }
}
