import SheafCore

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Passes everything on but what its mutant gets wrong.
final class MutantFile: OpenFile {
  private let base: any OpenFile
  private let mutant: Mutant
  private let isManifest: Bool
  private let directory: MutantDirectory

  init(_ base: any OpenFile, _ mutant: Mutant, isManifest: Bool, in directory: MutantDirectory) {
    self.base = base
    self.mutant = mutant
    self.isManifest = isManifest
    self.directory = directory
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    switch mutant {
    case .appends where !isManifest: try base.write(bytes, at: Int64(try base.status().st_size))
    case .setsBitEarly where isManifest && bytes.count == ManifestLayout.pageSize:
      // A slot: the lowest bit that is clear is set, and the checksum made to match.
      var slot = Array(bytes)
      slot[12] |= slot[12] + 1
      Self.repairSlot(&slot, at: 0)
      try base.write(slot, at: offset)
    default: try base.write(bytes, at: offset)
    }
  }

  func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    let count = try base.read(into: bytes, at: offset)
    let page = ManifestLayout.pageSize
    if mutant == .dropsManifestChecksum, isManifest, count >= 3 * page {
      var content = Array(bytes)
      content.replaceSubrange(page - 4..<page, with: Self.littleEndian(crc32(of: Array(content[..<(page - 4)]))))
      Self.repairSlot(&content, at: page)
      Self.repairSlot(&content, at: 2 * page)
      bytes.copyBytes(from: content)
    }
    return count
  }

  /// Makes the checksum of a slot of one page match its bytes.
  private static func repairSlot(_ bytes: inout [UInt8], at start: Int) {
    let covered = Array(bytes[start..<start + 8] + bytes[start + 12..<start + ManifestLayout.pageSize])
    bytes.replaceSubrange(start + 8..<start + 12, with: littleEndian(crc32(of: covered)))
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] { bigEndian(value).reversed() }

  func syncData() throws(SystemError) {
    switch (mutant, isManifest) {
    case (.dropsDataSync, false): return
    case (.swapsOrder, false): directory.postpone(base)
    case (.swapsOrder, true):
      try base.syncData()
      for file in directory.takePostponed() { try file.syncData() }
    case (.ignoresFailedSync, _): try? base.syncData()
    default: try base.syncData()
    }
  }

  func sync() throws(SystemError) {
    do {
      try base.sync()
    } catch  where mutant == .ignoresFailedSync {
      return
    }
  }

  func status() throws(SystemError) -> stat { try base.status() }
  func resize(to size: Int64) throws(SystemError) { try base.resize(to: size) }
  func reserve(_ size: Int64) throws(SystemError) -> Bool { try base.reserve(size) }
  func setModificationTime(_ seconds: Int64) throws(SystemError) { try base.setModificationTime(seconds) }
  func setMode(_ mode: mode_t) throws(SystemError) { try base.setMode(mode) }
  func startWriteback() { base.startWriteback() }
  func lock() -> Bool { base.lock() }
  func attribute(_ name: String, longest: Int) -> [UInt8]? { base.attribute(name, longest: longest) }
  func setAttribute(_ name: String, to bytes: [UInt8]) { base.setAttribute(name, to: bytes) }
}
