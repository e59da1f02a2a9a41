import Sheaf

/// Loads tracks and prints what a player would show.
@main
enum MusicPlayer {
  @MainActor
  static func main() async {
    let loader = TrackLoader()
    loader.onChange = { index in
      let track = loader.tracks[index]
      let state = track.problem ?? track.path.map { "playable: \($0)" } ?? "\(Int(track.loaded * 100)) %"
      print("\(track.title): \(state)")
    }
    do throws(DownloadError) {
      for url in CommandLine.arguments.dropFirst() { try loader.add(url) }
    } catch {
      print("error: \(error)")
    }
    await loader.untilLoaded()
  }
}
