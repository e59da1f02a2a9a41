import SheafCore

/// The last steps of one download, from complete part file to final name. `publish(_:)` takes them for several at once.
protocol Publication: Sendable {
  /// Looks whether the part file may be published, and gives it the mode and the notes of a finished file.
  func prepare() throws(Failure)
  /// Lets the disk begin with what `sync` will wait for.
  func startWriteback()
  /// Waits until the file's bytes are on the disk.
  func sync() throws(Failure)
  /// Gives the file its final name.
  func rename() throws(Failure)
  /// Where the name is. Those of one place are synced together.
  var place: ObjectIdentifier { get }
  /// Waits until the names in the place are on the disk.
  func syncPlace() throws(Failure)
  /// Removes what only an unfinished download needs, if that can be done: the file has its name by now, and what stays
  /// harms nobody.
  func tidyUp()
}

/// Publishes files together: the disk writes all of them at the same time, the first file's sync pays for the others', and
/// names in one directory are synced once.
///
/// For each file the order is that of a single one: bytes synced, named, name synced, tidied up, success. One that fails
/// takes no further step and leaves the others alone; a directory that cannot be synced fails all that were named in it.
/// - Parameter isDurable: false leaves out all syncing.
/// - Returns: the results in the order of `files`.
func publish(_ files: [any Publication], isDurable: Bool) -> [Result<Void, Failure>] {
  var group = PublicationGroup(files)
  group.step { file throws(Failure) in try file.prepare() }
  if isDurable {
    if files.count > 1 { group.step { $0.startWriteback() } }
    group.step { file throws(Failure) in try file.sync() }
  }
  group.step { file throws(Failure) in try file.rename() }
  if isDurable { group.syncPlaces() }
  group.step { $0.tidyUp() }
  return group.results
}

/// How far the files of one group are.
private struct PublicationGroup {
  private let files: [any Publication]
  private(set) var results: [Result<Void, Failure>]

  init(_ files: [any Publication]) {
    self.files = files
    results = files.map { _ in .success(()) }
  }

  /// Takes one step for each file that has not failed.
  mutating func step(_ work: (any Publication) throws(Failure) -> Void) {
    for index in files.indices {
      guard case .success = results[index] else { continue }
      results[index] = Result { () throws(Failure) in try work(files[index]) }
    }
  }

  /// Syncs each place once.
  mutating func syncPlaces() {
    var synced: [ObjectIdentifier: Result<Void, Failure>] = [:]
    step { file throws(Failure) in
      let result = synced[file.place] ?? Result { () throws(Failure) in try file.syncPlace() }
      synced[file.place] = result
      try result.get()
    }
  }
}
