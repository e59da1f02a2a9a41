import SheafCore

/// The digest that the user gave, by itself or in a checksum file.
extension DownloadRun {
  /// - Throws: also if the checksum file has none for this download: then nothing of the file is asked for.
  func findGiven() async throws(Failure) -> DigestClaim? {
    if let stream, stream.start > 0 {
      if options.checksum != nil || options.checksumFile != nil {
        channel.send(.warning("the checksum is the whole file's: what begins at byte \(stream.start) is not compared"))
      }
      return nil
    }
    if let checksum = options.checksum { return DigestClaim(checksum.digest, source: nil) }
    guard let place = options.checksumFile else { return nil }
    let reader = ChecksumFileReader(thread: engine.disk)
    let source: String
    let file: ChecksumFile
    if let list = Location(checksumFile: place) {
      source = list.redacted
      file = ChecksumFile(parsing: try await fetch(list, through: reader), named: fileName(fromURLPath: list.path))
    } else {
      source = printable(place)
      file = ChecksumFile(parsing: try await reader.read(place), named: place)
    }
    if file.isSigned {
      channel.send(.warning("\(source) is signed; its signature is not checked: gpg --verify does that"))
    }
    do throws(ChecksumFileProblem) {
      return DigestClaim(try file.digest(for: [target.name, fileName(fromURLPath: location.path)]), source: source)
    } catch {
      throw Failure(.checksum, "\(source) \(error)", suggestion: "check that it belongs to this file")
    }
  }

  /// Fetches a small file as any other, to a place where nobody sees it.
  private func fetch(_ list: Location, through reader: ChecksumFileReader) async throws(Failure) -> [UInt8] {
    let directory = try await reader.makeDirectory()
    let outcome: Result<[UInt8], Failure>
    do throws(Failure) {
      outcome = .success(try await fetch(list, to: directory, through: reader))
    } catch {
      outcome = .failure(
        Failure(error.kind, "the checksum file \(list.redacted): \(error.message)", suggestion: error.suggestion))
    }
    await reader.removeDirectory(directory)
    return try outcome.get()
  }

  private func fetch(_ list: Location, to directory: String, through reader: ChecksumFileReader) async throws(Failure)
    -> [UInt8]
  {
    var options = options
    options.checksumFile = nil
    options.verification = .off
    options.connections = 1
    options.split = nil
    options.durability = .off
    options.mostBytes = Int64(ChecksumFile.largest)
    // What was meant for one server is not told to another.
    if list.origin != location.origin { options = options.withoutSecrets }
    let path = "\(directory)/\(ChecksumFileReader.name)"
    let errand = try DownloadRun(
      list, target: try Target(.file(path), urlPath: ""), options: options, channel: EventHub(), engine: engine)
    self.errand = errand
    defer { self.errand = nil }
    if isStopRequested { await errand.stop() }
    _ = try await errand.run().get()
    return try await reader.read(path)
  }
}

extension Location {
  /// The place of a checksum file, if it is not on this machine's disks.
  init?(checksumFile text: String) {
    guard let location = Location(text), ["http", "https"].contains(location.origin.scheme) else { return nil }
    self = location
  }
}
