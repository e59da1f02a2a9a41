#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore
import Synchronization

/// What a stream has in place of a part file: memory for the bytes around its reader, at the file's own offsets.
///
/// A ring: the byte at an offset lies at that offset modulo the capacity. A byte is overwritten by the one that lies a
/// capacity behind it, which nobody asks for before the window has moved on that far, so nothing has to be freed and memory
/// is the same from start to end. Only pages that bytes have come to are ever real.
///
/// Unchecked: transfers write bytes that nobody has yet, and readers read bytes that are all there; the run's machine, which
/// hands out the ranges, keeps the two apart. The mark is behind a mutex.
final class StreamBuffer: OpenFile, @unchecked Sendable {
  /// Transfers may bring so many more bytes than the window has: a piece that libcurl hands over is not cut.
  static let slack: Int64 = 1 << 20

  private let memory: UnsafeMutableRawBufferPointer
  /// Nobody needs anything before this offset any more.
  private let mark: Mutex<Int64>

  /// - Throws: a failure if the system has no room for `window` bytes.
  init(window: Int64, start: Int64) throws(Failure) {
    let page = Int64(sysconf(Int32(_SC_PAGESIZE)))
    let (wanted, overflow) = window.addingReportingOverflow(Self.slack + page)
    guard !overflow, let capacity = Int(exactly: wanted / page * page),
      let memory = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | Self.anonymous, -1, 0),
      memory != MAP_FAILED
    else {
      throw Failure(.usage, "there is no memory for a window of \(window) bytes", suggestion: "use a smaller one")
    }
    self.memory = UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    mark = Mutex(start)
  }

  deinit { munmap(memory.baseAddress, memory.count) }

  #if canImport(Glibc)
    private static let anonymous = MAP_ANONYMOUS | MAP_NORESERVE
  #else
    private static let anonymous = MAP_ANON
  #endif

  /// Nobody needs anything before `offset` any more: bytes that come for it all the same are not kept, for their place is
  /// another one's.
  func release(upTo offset: Int64) { mark.withLock { $0 = max($0, offset) } }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    let mark = mark.withLock { $0 }
    let skipped = Int(clamping: min(Int64(bytes.count), max(0, mark - offset)))
    let kept = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(skipped))
    let place = offset + Int64(skipped)
    guard !kept.isEmpty else { return }
    // A fault of our own, which must not become wrong bytes.
    guard place + Int64(kept.count) - mark <= Int64(memory.count) else { throw SystemError("write", code: ENOBUFS) }
    let start = Int(place % Int64(memory.count))
    let first = min(kept.count, memory.count - start)
    UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + first]).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: kept[..<first]))
    if first < kept.count {
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: kept[first...]))
    }
  }

  func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    let start = Int(offset % Int64(memory.count))
    let first = min(bytes.count, memory.count - start)
    guard bytes.count <= memory.count else { throw SystemError("read", code: ENOBUFS) }
    bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<start + first]))
    if first < bytes.count {
      UnsafeMutableRawBufferPointer(rebasing: bytes[first...]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: memory[..<(bytes.count - first)]))
    }
    return bytes.count
  }

  // MARK: - What only files on a disk have

  func status() throws(SystemError) -> stat { throw SystemError("fstat", code: ENOTSUP) }
  func resize(to size: Int64) throws(SystemError) {}
  func reserve(_ size: Int64) throws(SystemError) -> Bool { true }
  func setMode(_ mode: mode_t) throws(SystemError) {}
  func setModificationTime(_ seconds: Int64) throws(SystemError) {}
  func syncData() throws(SystemError) {}
  func sync() throws(SystemError) {}
  func startWriteback() {}
  func lock() -> Bool { true }
  func attribute(_ name: String, longest: Int) -> [UInt8]? { nil }
  func setAttribute(_ name: String, to bytes: [UInt8]) {}
}
