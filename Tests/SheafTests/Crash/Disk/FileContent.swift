#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bytes of a simulated file: where nothing was stored there are zeros.
///
/// What is stored and how long the file is reach a disk apart from each other, so bytes may be stored beyond the end.
struct FileContent: Sendable {
  private(set) var size = 0
  private var chunks: [Payload.Chunk] = []

  /// Stores the bytes of `range` of the payload that belongs at `offset`; the size stays.
  mutating func store(_ payload: Payload, _ range: Range<Int>, at offset: Int) {
    guard !range.isEmpty else { return }
    let unit = Payload.chunkSize
    let (start, end) = (offset + range.lowerBound, offset + range.upperBound)
    while chunks.count * unit < end { chunks.append(.zeros) }
    for index in start / unit...(end - 1) / unit {
      let (first, last) = (max(start, index * unit), min(end, (index + 1) * unit))
      if last - first == unit, offset % unit == 0 {
        chunks[index] = payload.chunks[index - offset / unit]
        continue
      }
      var bytes = chunks[index].bytes
      bytes.withUnsafeMutableBytes { target in
        payload.bytes.withUnsafeBytes { source in
          _ = memcpy(target.baseAddress! + (first - index * unit), source.baseAddress! + (first - offset), last - first)
        }
      }
      chunks[index] = Payload.Chunk(bytes)
    }
  }

  /// Makes the file longer, or with `isCut` shorter, and then all bytes from its end on are forgotten.
  mutating func setSize(_ new: Int, isCut: Bool) {
    size = new
    if isCut { forget(from: new) }
  }

  /// Forgets what is stored beyond the end.
  mutating func settle() { forget(from: size) }

  private mutating func forget(from end: Int) {
    let unit = Payload.chunkSize
    let kept = (end + unit - 1) / unit
    if chunks.count > kept { chunks.removeLast(chunks.count - kept) }
    let first = end % unit
    guard first != 0, chunks.count == kept else { return }
    var bytes = chunks[kept - 1].bytes
    let isSettled = bytes.withUnsafeBytes { bytes in
      Payload.Chunk.zeros.bytes.withUnsafeBytes {
        memcmp(bytes.baseAddress! + first, $0.baseAddress!, unit - first) == 0
      }
    }
    guard !isSettled else { return }
    bytes.withUnsafeMutableBytes { _ = memset($0.baseAddress! + first, 0, unit - first) }
    chunks[kept - 1] = Payload.Chunk(bytes)
  }

  /// Copies what there is from `offset` on, and says how much.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    let unit = Payload.chunkSize
    let count = max(0, min(buffer.count, size - offset))
    var done = 0
    while done < count {
      let place = offset + done
      let index = place / unit
      let piece = min(count - done, (index + 1) * unit - place)
      let chunk = index < chunks.count ? chunks[index] : .zeros
      chunk.bytes.withUnsafeBytes { source in
        _ = memcpy(buffer.baseAddress! + done, source.baseAddress! + place % unit, piece)
      }
      done += piece
    }
    return count
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = bytes.withUnsafeMutableBytes { read(into: $0, at: range.lowerBound) }
    return Array(bytes.prefix(count))
  }

  func equals(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == size else { return false }
    return bytes.withUnsafeBytes { wanted in
      chunks.indices.allSatisfy { index in
        let start = index * Payload.chunkSize
        let count = min(Payload.chunkSize, size - start)
        return count <= 0
          || chunks[index].bytes.withUnsafeBytes { memcmp($0.baseAddress!, wanted.baseAddress! + start, count) == 0 }
      } && wanted.dropFirst(chunks.count * Payload.chunkSize).allSatisfy { $0 == 0 }
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    for index in 0..<(size + Payload.chunkSize - 1) / Payload.chunkSize {
      hasher.combine(index < chunks.count ? chunks[index].checksum : Payload.Chunk.zeros.checksum)
    }
  }
}
