#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// Reads a file to see what is in it, on the hashing thread.
actor FileSurvey {
  nonisolated private let thread: SerialThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let file: PartFile

  init(_ file: PartFile, thread: SerialThread) {
    self.file = file
    self.thread = thread
  }

  /// Of each range, the CRC-32 and whether it holds nothing but zeros.
  func look(at ranges: [ByteRange]) throws(Failure) -> [(checksum: UInt32, isZero: Bool)] {
    var seen: [(checksum: UInt32, isZero: Bool)] = []
    for range in ranges {
      var checksum: UInt32 = 0
      var isZero = true
      try file.read(range) { bytes in
        checksum = crc32(checksum, bytes)
        isZero = isZero && holdsOnlyZeros(bytes)
      }
      seen.append((checksum, isZero))
    }
    return seen
  }

  /// What the other file has in common with this one.
  enum Likeness: Sendable {
    /// A page of more than zeros is the same in both.
    case alike
    /// No page is.
    case unlike
    /// This file has nothing but zeros there.
    case nothingToCompare
  }

  /// Compares the two page by page, at equal offsets, up to the first that is the same.
  func compare(with other: PartFile, in ranges: [ByteRange]) throws(Failure) -> Likeness {
    let page: Int64 = 4096
    let own = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(page), alignment: 4096)
    let foreign = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(page), alignment: 4096)
    defer {
      own.deallocate()
      foreign.deallocate()
    }
    var isEmpty = true
    for range in ranges {
      var offset = range.lower
      while offset < range.upper {
        let count = Int(min(page, range.upper - offset))
        offset += Int64(count)
        let first = UnsafeMutableRawBufferPointer(rebasing: own.prefix(count))
        let second = UnsafeMutableRawBufferPointer(rebasing: foreign.prefix(count))
        let place = offset - Int64(count)
        guard try file.read(into: first, at: place) == count, try other.read(into: second, at: place) == count else {
          continue
        }
        if holdsOnlyZeros(UnsafeRawBufferPointer(first)) { continue }
        isEmpty = false
        if let one = first.baseAddress, let two = second.baseAddress, memcmp(one, two, count) == 0 { return .alike }
      }
    }
    return isEmpty ? .nothingToCompare : .unlike
  }
}

private func holdsOnlyZeros(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let start = bytes.baseAddress, let first = bytes.first else { return true }
  // If each byte is its successor, all are the first.
  return first == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
}
