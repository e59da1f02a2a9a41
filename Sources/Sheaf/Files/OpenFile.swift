#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// An open file, closed when the last reference to it goes. Reading and writing are at offsets: there is no position.
protocol OpenFile: AnyObject, Sendable {
  /// The file's size, type, owner and the rest.
  func status() throws(SystemError) -> stat
  /// Writes all of `bytes` at `offset`, however many calls that takes.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError)
  /// Reads as much of `bytes.count` as there is at `offset`; fewer bytes mean the end of the file.
  func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int
  /// Puts the bytes of `range` of another file into the same place of this one. Where the file system can, both share
  /// them on the disk.
  func copy(_ range: ByteRange, from source: any OpenFile) throws(SystemError)
  /// Makes the file `size` bytes long.
  func resize(to size: Int64) throws(SystemError)
  /// Takes space on the disk for the first `size` bytes, without changing any; false if the file system cannot do that.
  func reserve(_ size: Int64) throws(SystemError) -> Bool
  func setMode(_ mode: mode_t) throws(SystemError)
  /// Gives the file this time of modification, in seconds since 1970.
  func setModificationTime(_ seconds: Int64) throws(SystemError)

  /// Waits until the data, and what is needed to read it back, is on the disk.
  ///
  /// A failure is reported once and then forgotten by the kernel: never try again and believe the second answer.
  func syncData() throws(SystemError)
  /// Waits until data and metadata are on the disk; a failure is as one of `syncData`.
  func sync() throws(SystemError)
  /// Lets the disk begin with what a sync will wait for.
  func startWriteback()

  /// Locks the file against other openings, here or in another process, until it is closed; false if one has it locked.
  /// A file system that cannot lock grants it to everybody.
  func lock() -> Bool

  /// The extended attribute of this name; nil if there is none of up to `longest` bytes.
  func attribute(_ name: String, longest: Int) -> [UInt8]?
  /// Notes an extended attribute; a file system without them is no error.
  func setAttribute(_ name: String, to bytes: [UInt8])
}

extension OpenFile {
  func copy(_ range: ByteRange, from source: any OpenFile) throws(SystemError) { try copyByHand(range, from: source) }

  /// Reads and writes.
  func copyByHand(_ range: ByteRange, from source: any OpenFile) throws(SystemError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
    defer { buffer.deallocate() }
    var offset = range.lower
    while offset < range.upper {
      let wanted = UnsafeMutableRawBufferPointer(
        rebasing: buffer.prefix(Int(min(Int64(buffer.count), range.upper - offset))))
      let count = try source.read(into: wanted, at: offset)
      // It became shorter meanwhile; whoever compares the copy will see.
      guard count > 0 else { return }
      try write(UnsafeRawBufferPointer(rebasing: wanted.prefix(count)), at: offset)
      offset += Int64(count)
    }
  }

  func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    // `withUnsafeBytes` does not carry typed errors.
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try write(bytes, at: offset) }
    }
    try result.get()
  }

  /// Reads `count` bytes from the start of the file, or all if it is shorter.
  func read(first count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { bytes in
      Result { () throws(SystemError) in try read(into: bytes, at: 0) }
    }
    return Array(bytes.prefix(try result.get()))
  }
}
