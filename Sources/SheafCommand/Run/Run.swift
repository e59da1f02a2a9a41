import Sheaf

/// Carries out downloads, a limited number at once, and tells the reporter what happens to them.
struct Run: Sendable {
  /// In the order of the command line.
  let downloads: [any RunnableDownload]
  /// How many may be under way at once, at least 1.
  let limit: Int
  let reporter: Reporter
  let stop: StopSwitch

  /// Returns when all have ended: `ok`, or the status of the last error in time, as aria2 does.
  func callAsFunction() async -> ExitStatus {
    await withTaskGroup(of: ExitStatus.self) { group in
      var waiting = downloads.indices.makeIterator()
      for _ in 0..<min(limit, downloads.count) {
        if let index = waiting.next() { group.addTask { await carryOut(index) } }
      }
      var status = ExitStatus.ok
      while let ended = await group.next() {
        if ended != .ok { status = ended }
        if let index = waiting.next() { group.addTask { await carryOut(index) } }
      }
      return status
    }
  }

  private func carryOut(_ index: Int) async -> ExitStatus {
    let download = downloads[index]
    guard stop.enter(download, index) else {
      await reporter.tell(.notStarted, of: index)
      return .interrupted
    }
    defer { stop.leave(index) }
    download.start()
    // The switch may have been thrown in between, and a download need not remember a stop before its start.
    if stop.isThrown { download.stop() }
    for await event in download.news {
      await reporter.tell(.event(event), of: index)
    }
    do {
      let result = try await download.value
      await reporter.tell(.finished(result), of: index)
      return .ok
    } catch {
      await reporter.tell(.failed(error), of: index)
      return ExitStatus(error.code)
    }
  }
}
