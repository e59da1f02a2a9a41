/// Makes a `Metalink` of what an XML parser reads, element by element.
package struct MetalinkBuilder: Sendable {
  /// Where the reader is, as far as it matters.
  private enum Place: Hashable {
    case document
    case file, size, url, hash, pieces, pieceHash
    /// An element that only holds others: `files`, `resources` and `verification` of version 3.
    case wrapper
    /// Nothing in it is of interest.
    case ignored
  }

  private enum Version: String {
    case three = "http://www.metalinker.org/"
    case four = "urn:ietf:params:xml:ns:metalink"
  }

  private var version: Version?
  private var places: [Place] = []
  private var text: [UInt8] = []
  private var result = Metalink()
  private var names: Set<String> = []
  private var pieceCount = 0

  private var file: Metalink.File?
  private var claims: [DigestClaim] = []
  private var algorithm: DigestAlgorithm?
  private var source: Metalink.Source?
  /// Those that are being read (RFC 5854 section 4.1.3).
  private var pieces: Pieces?
  /// Those of the file that are to be used once its size is known.
  private var chosen: Pieces?
  /// A piece's digest could not be read.
  private var isUnusable = false

  private struct Pieces: Sendable {
    var length: Int64
    var digests: [Digest] = []
  }

  package init() {}

  /// An element begins.
  /// - Parameter attributes: names in no namespace, and their values.
  package mutating func started(
    _ name: String, in namespace: String, _ attributes: [(name: String, value: String)]
  ) throws(MetalinkProblem) {
    guard places.count < Metalink.Bounds.depth else { throw .tooDeep }
    guard attributes.allSatisfy({ $0.value.utf8.count <= Metalink.Bounds.text }) else { throw .tooLong("attribute") }
    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    text = []
    guard let outer = places.last else {
      version = Version(rawValue: namespace)
      guard version != nil, name == "metalink" else { throw .notMetalink }
      places = [.document]
      return
    }
    let place = namespace == version?.rawValue ? self.place(of: name, in: outer) : .ignored
    places.append(place)
    switch place {
    case .file: try startFile(attribute("name"))
    case .url: startSource(attribute)
    case .hash: algorithm = attribute("type").flatMap { DigestAlgorithm(named: $0) }
    case .pieces: startPieces(attribute)
    case .document, .size, .pieceHash, .wrapper, .ignored: break
    }
  }

  private func place(of name: String, in outer: Place) -> Place {
    switch (outer, name) {
    case (.document, "file") where version == .four: .file
    case (.document, "files") where version == .three: .wrapper
    case (.wrapper, "file") where version == .three && file == nil: .file
    case (.file, "resources"), (.file, "verification"): version == .three ? .wrapper : .ignored
    case (.file, "size"): .size
    case (.file, "url") where version == .four, (.wrapper, "url") where version == .three && file != nil: .url
    case (.file, "hash") where version == .four, (.wrapper, "hash") where version == .three && file != nil: .hash
    case (.file, "pieces") where version == .four, (.wrapper, "pieces") where version == .three && file != nil: .pieces
    case (.pieces, "hash"): .pieceHash
    default: .ignored
    }
  }

  /// A piece of the text of the element that began last.
  package mutating func read(_ bytes: some Collection<UInt8>) throws(MetalinkProblem) {
    switch places.last {
    case .size, .url, .hash, .pieceHash:
      guard text.count + bytes.count <= Metalink.Bounds.text else { throw .tooLong("text") }
      text += bytes
    default: break
    }
  }

  /// The element that began last, and has not ended, ends.
  package mutating func ended() throws(MetalinkProblem) {
    guard let place = places.popLast() else { return }
    let content = Self.stripped(text)
    text = []
    switch place {
    case .size: file?.size = decimal(content.utf8).flatMap { $0 <= Metalink.Bounds.fileSize ? $0 : nil }
    case .url: try endSource(content)
    case .hash:
      if let digest = algorithm.flatMap({ Digest($0, hexadecimal: content) }) {
        // Of each algorithm the document says once what it is; more is nonsense.
        guard claims.count < 64 else { throw .tooMany("digests") }
        claims.append(DigestClaim(digest, source: nil))
      }
    case .pieceHash: try endPiece(content)
    case .pieces: endPieces()
    case .file: try endFile()
    case .document, .wrapper, .ignored: break
    }
  }

  /// What the whole document says.
  package consuming func finished() throws(MetalinkProblem) -> Metalink {
    guard version != nil else { throw .notMetalink }
    guard !result.files.isEmpty else { throw .noFiles }
    return result
  }

  // MARK: - Files

  private mutating func startFile(_ name: String?) throws(MetalinkProblem) {
    guard result.files.count < Metalink.Bounds.files else { throw .tooMany("files") }
    guard let name, !name.isEmpty else { throw .nameMissing }
    let safe = fileName(sanitizing: name.utf8)
    guard names.insert(safe).inserted else { throw .nameTwice }
    file = Metalink.File(name: safe)
    claims = []
    chosen = nil
  }

  private mutating func endFile() throws(MetalinkProblem) {
    guard var file else { return }
    file.digests = claims.consistent.map(\.digest)
    if let chosen, let size = file.size {
      file.pieces = PieceHashes(pieceLength: chosen.length, digests: chosen.digests, total: size)
    }
    file.sources = file.sources.enumerated().sorted {
      ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset)
    }
    .map(\.element)
    result.files.append(file)
    self.file = nil
  }

  // MARK: - Sources

  private mutating func startSource(_ attribute: (String) -> String?) {
    let priority: Int? =
      switch version {
      case .four:
        attribute("priority").flatMap { decimal($0.utf8) }
          .flatMap { (1...Int64(Metalink.Bounds.worstPriority)).contains($0) ? Int($0) : nil }
      case .three: attribute("preference").flatMap { decimal($0.utf8) }.flatMap { $0 <= 100 ? 101 - Int($0) : nil }
      case nil: nil
      }
    source = Metalink.Source(
      url: "", priority: priority ?? Metalink.Bounds.worstPriority,
      country: attribute("location").flatMap { countryCode($0) })
  }

  private mutating func endSource(_ url: String) throws(MetalinkProblem) {
    defer { source = nil }
    // Nothing but these can stand in a URI (RFC 3986); other schemes are not spoken.
    let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard var source, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), url.dropFirst(scheme.count).hasPrefix("://"),
      equalIgnoringCase(String(Substring(scheme)), "http") || equalIgnoringCase(String(Substring(scheme)), "https")
    else { return }
    source.url = url
    guard file?.sources.count ?? 0 < Metalink.Bounds.sources else { throw .tooMany("sources of one file") }
    file?.sources.append(source)
  }

  // MARK: - Pieces

  private mutating func startPieces(_ attribute: (String) -> String?) {
    algorithm = attribute("type").flatMap { DigestAlgorithm(named: $0) }
    let length = attribute("length").flatMap { decimal($0.utf8) } ?? 0
    isUnusable = algorithm == nil || !(1...Metalink.Bounds.fileSize).contains(length)
    pieces = Pieces(length: length)
  }

  /// Version 3 numbers the pieces, and all that make it write them in order.
  private mutating func endPiece(_ text: String) throws(MetalinkProblem) {
    pieceCount += 1
    guard pieceCount <= Metalink.Bounds.pieces else { throw .tooMany("pieces") }
    guard let digest = algorithm.flatMap({ Digest($0, hexadecimal: text) }) else {
      isUnusable = true
      return
    }
    pieces?.digests.append(digest)
  }

  private mutating func endPieces() {
    defer { pieces = nil }
    guard let pieces, !isUnusable, !pieces.digests.isEmpty else { return }
    // There may be several for several algorithms.
    if let known = chosen?.digests.first?.algorithm, let own = pieces.digests.first?.algorithm, own < known {
      return
    }
    chosen = pieces
  }

  /// XML's white space around it taken off.
  private static func stripped(_ bytes: [UInt8]) -> String {
    let isWhite: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let start = bytes.drop(while: isWhite)
    return String(decoding: start.prefix(start.count - start.reversed().prefix(while: isWhite).count), as: UTF8.self)
  }
}
