/// The first page of a manifest: everything that does not change while the download runs.
struct ManifestHeader: Hashable {
  static let magic: [UInt8] = Array("SHEAF\r\n\u{1A}".utf8)
  static let version: UInt32 = 1
  private static let hashSize = 32
  private static let stringsOffset = 40 + hashSize
  private static let crcOffset = ManifestLayout.headerSize - 4
  /// The length prefix of a string that is not there, as opposed to an empty one.
  private static let absent = 0xFFFF

  private enum ValidatorKind: UInt32 {
    case none = 0
    case strongTag = 1
    case strongDate = 2
    case weak = 3
  }

  let total: Int64
  let blockSize: Int64
  let blockCount: Int64
  let validator: Validator
  let sourceHash: [UInt8]
  let source: String

  init(_ manifest: Manifest) {
    total = manifest.total
    blockSize = manifest.blockSize
    blockCount = Int64(manifest.blocks.count)
    validator = manifest.validator
    sourceHash = manifest.sourceHash
    source = manifest.source
  }

  /// The layout of the file, once the fields are known to obey the format's rules.
  ///
  /// Both directions pass here, so that nothing is written that would not be read again.
  func validated() throws(ManifestProblem) -> ManifestLayout {
    guard 1...ManifestLayout.largestTotal ~= total else { throw .inconsistent("a length of \(total) bytes") }
    guard blockSize >= ManifestLayout.smallestBlockSize, blockSize & (blockSize - 1) == 0 else {
      throw .inconsistent("blocks of \(blockSize) bytes")
    }
    guard blockCount == Manifest.blockCount(total: total, blockSize: blockSize) else {
      throw .inconsistent("\(blockCount) blocks of \(blockSize) bytes for \(total) bytes")
    }
    guard sourceHash.count == Self.hashSize else { throw .inconsistent("the hash of its source") }
    guard Self.isText(source) else { throw .inconsistent("the name of its source") }
    try validateValidator()
    guard let layout = ManifestLayout(blockCount: blockCount) else { throw .tooLarge }
    return layout
  }

  /// What a manifest says is sent to the server as If-Range: only what could have come from a server may pass.
  private func validateValidator() throws(ManifestProblem) {
    let isValid =
      switch validator {
      case .none: true
      case .strongTag(let tag): EntityTag(parsing: tag)?.isWeak == false
      case .strongDate(let date): HTTPDate.secondsSinceEpoch(parsing: date) != nil
      case .weak(let tag, let date):
        (tag == nil || EntityTag(parsing: tag ?? "")?.isWeak == true) && Self.isText(date ?? "")
      }
    guard isValid else { throw .inconsistent("its validator") }
  }

  private static func isText(_ text: String) -> Bool {
    !text.unicodeScalars.contains(where: isUnprintable)
  }
}

extension ManifestHeader {
  func encoded(crc32: ([UInt8]) -> UInt32) throws(ManifestProblem) -> [UInt8] {
    let (kind, tag, date): (ValidatorKind, String?, String?) =
      switch validator {
      case .none: (.none, nil, nil)
      case .strongTag(let tag): (.strongTag, tag, nil)
      case .strongDate(let date): (.strongDate, nil, date)
      case .weak(let tag, let date): (.weak, tag, date)
      }
    var page: [UInt8] = []
    page.reserveCapacity(ManifestLayout.headerSize)
    page += Self.magic
    page.append(littleEndian: Self.version)
    page.append(littleEndian: UInt32(ManifestLayout.headerSize))
    page.append(littleEndian: UInt32(blockSize.trailingZeroBitCount))
    page.append(littleEndian: kind.rawValue)
    page.append(littleEndian: UInt64(total))
    page.append(littleEndian: UInt64(blockCount))
    page += sourceHash
    for string in [tag, date, source] {
      guard let string else {
        page.append(littleEndian: UInt16(Self.absent))
        continue
      }
      guard string.utf8.count <= Self.crcOffset - page.count - 2 else { throw .headerTooLong }
      page.append(littleEndian: UInt16(string.utf8.count))
      page += string.utf8
    }
    guard page.count <= Self.crcOffset else { throw .headerTooLong }
    page += [UInt8](repeating: 0, count: Self.crcOffset - page.count)
    page.append(littleEndian: crc32(page))
    return page
  }

  /// Reads the fields; `validated()` judges them.
  init(decoding bytes: [UInt8], crc32: ([UInt8]) -> UInt32) throws(ManifestProblem) {
    guard bytes.count >= ManifestLayout.headerSize, bytes.starts(with: Self.magic) else { throw .notAManifest }
    // Before the CRC: another version may keep it elsewhere.
    let version = bytes.littleEndian32(at: 8)
    guard version == Self.version else { throw .unsupportedVersion(version) }
    guard crc32(Array(bytes[..<Self.crcOffset])) == bytes.littleEndian32(at: Self.crcOffset) else {
      throw .damagedHeader
    }
    guard bytes.littleEndian32(at: 12) == UInt32(ManifestLayout.headerSize) else {
      throw .inconsistent("the size of its header")
    }
    let blockSizeLog2 = bytes.littleEndian32(at: 16)
    guard blockSizeLog2 < 63 else { throw .inconsistent("the size of its blocks") }
    blockSize = 1 << Int64(blockSizeLog2)
    guard let total = Int64(exactly: bytes.littleEndian64(at: 24)) else { throw .inconsistent("its length") }
    self.total = total
    guard let blockCount = Int64(exactly: bytes.littleEndian64(at: 32)) else {
      throw .inconsistent("the number of its blocks")
    }
    self.blockCount = blockCount
    sourceHash = Array(bytes[40..<40 + Self.hashSize])

    var offset = Self.stringsOffset
    let tag = try Self.string(in: bytes, at: &offset)
    let date = try Self.string(in: bytes, at: &offset)
    guard let source = try Self.string(in: bytes, at: &offset) else { throw .inconsistent("the name of its source") }
    self.source = source
    // What nobody wrote cannot be there: a page has one form for each meaning.
    guard bytes[offset..<Self.crcOffset].allSatisfy({ $0 == 0 }) else { throw .inconsistent("the rest of its header") }

    switch (ValidatorKind(rawValue: bytes.littleEndian32(at: 20)), tag, date) {
    case (.some(.none), nil, nil): validator = .none
    case (.strongTag, let tag?, nil): validator = .strongTag(tag)
    case (.strongDate, nil, let date?): validator = .strongDate(date)
    case (.weak, let tag, let date): validator = .weak(tag: tag, date: date)
    default: throw .inconsistent("its validator")
    }
  }

  private static func string(in bytes: [UInt8], at offset: inout Int) throws(ManifestProblem) -> String? {
    guard offset + 2 <= crcOffset else { throw .inconsistent("the length of a string") }
    let length = Int(bytes.littleEndian16(at: offset))
    offset += 2
    if length == absent { return nil }
    guard length <= crcOffset - offset else { throw .inconsistent("the length of a string") }
    guard let string = String(validating: bytes[offset..<offset + length], as: UTF8.self) else {
      throw .inconsistent("the encoding of a string")
    }
    offset += length
    return string
  }
}
