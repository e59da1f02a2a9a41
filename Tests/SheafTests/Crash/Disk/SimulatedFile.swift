@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file of a simulated disk.
final class SimulatedFile: OpenFile {
  private let number: Int
  private let disk: SimulatedDisk
  private nonisolated(unsafe) var isLocked = false

  init(_ number: Int, on disk: SimulatedDisk) {
    self.number = number
    self.disk = disk
  }

  deinit {
    if isLocked { disk.state.withLock { _ = $0.locked.remove(number) } }
  }

  private func change(_ work: (inout DiskImage.File, _ moment: Int) -> [Effect]) {
    disk.state.withLock { state in
      state.moment += 1
      guard var file = state.image.files.removeValue(forKey: number) else { return }
      state.record += work(&file, state.moment)
      state.image.files[number] = file
    }
  }

  func status() throws(SystemError) -> stat {
    let image = disk.image
    var status = stat()
    guard let file = image.files[number] else { throw SystemError("fstat", code: ESTALE) }
    status.st_ino = numericCast(number)
    status.st_mode = S_IFREG | mode_t(file.mode)
    status.st_nlink = numericCast(image.nameCount(of: number))
    status.st_uid = file.owner
    status.st_size = numericCast(file.content.size)
    #if canImport(Glibc)
      status.st_mtim.tv_sec = file.modified
    #else
      status.st_mtimespec.tv_sec = file.modified
    #endif
    return status
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    let payload = Payload(Array(bytes))
    let place = Int(offset)
    change { file, moment in
      file.content.store(payload, 0..<bytes.count, at: place)
      file.modified = moment
      let wrote = Effect.wrote(number, payload, at: place, moment: moment)
      guard place + bytes.count > file.content.size else { return [wrote] }
      file.content.setSize(place + bytes.count, isCut: false)
      return [.sized(number, to: place + bytes.count, isCut: false, moment: moment), wrote]
    }
  }

  func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    disk.image.files[number]?.content.read(into: bytes, at: Int(offset)) ?? 0
  }

  func resize(to size: Int64) throws(SystemError) {
    change { file, moment in
      guard file.content.size != Int(size) else { return [] }
      let isCut = Int(size) < file.content.size
      file.content.setSize(Int(size), isCut: isCut)
      file.modified = moment
      return [.sized(number, to: Int(size), isCut: isCut, moment: moment)]
    }
  }

  /// Space is what this disk has enough of.
  func reserve(_ size: Int64) throws(SystemError) -> Bool { true }

  /// What counts here is that it is another time.
  func setModificationTime(_ seconds: Int64) throws(SystemError) {
    change { file, moment in
      file.modified = moment
      return []
    }
  }

  func setMode(_ mode: mode_t) throws(SystemError) {
    change { file, _ in
      file.mode = UInt32(mode)
      return [.setMode(number, UInt32(mode))]
    }
  }

  func syncData() throws(SystemError) {
    try disk.sync(number, .syncedData(number))
    disk.afterDataSync.withLock { $0 }?()
  }

  func sync() throws(SystemError) { try disk.sync(number, .synced(number)) }

  func startWriteback() {}

  func lock() -> Bool {
    let isGranted = disk.state.withLock { $0.locked.insert(number).inserted }
    if isGranted { isLocked = true }
    return isGranted
  }

  func attribute(_ name: String, longest: Int) -> [UInt8]? { disk.image.files[number]?.attributes[name] }

  func setAttribute(_ name: String, to bytes: [UInt8]) {
    change { file, _ in
      file.attributes[name] = bytes
      return [.setAttribute(number, name, bytes)]
    }
  }
}
