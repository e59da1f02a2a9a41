import CZlib
package import SheafCore

/// Decodes gzip (RFC 1952) as it comes, one member after the other. Zeros may follow the last one, as tape archives have them.
///
/// For one thread at a time.
package final class GzipDecoder {
  private static let pieceSize = 256 << 10

  /// In a place of its own: zlib notes where it is.
  private let state: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer
  private var place = Place.start

  private enum Place {
    /// Nothing has come yet.
    case start
    case inMember
    case behindMember
    case inPadding
  }

  /// - Throws: a failure if there is no memory.
  package init() throws(Failure) {
    state = .allocate(capacity: 1)
    state.initialize(to: z_stream())
    output = .allocate(byteCount: Self.pieceSize, alignment: 16)
    // 15 bits of window, the most there is, and 16 for gzip alone.
    guard inflateInit2_(state, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw Failure(.unknown, "zlib cannot start")
    }
  }

  deinit {
    inflateEnd(state)
    state.deallocate()
    output.deallocate()
  }

  /// Decodes the next bytes and calls `take` with what they come to, in pieces.
  /// - Throws: what `take` throws, or a failure if they are not gzip or damaged.
  package func decode(_ bytes: [UInt8], _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    // The closure cannot carry typed errors.
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try decode(bytes, take) }
    }
    try result.get()
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = bytes
    while let first = rest.first {
      switch place {
      case .behindMember where first == 0, .inPadding:
        place = .inPadding
        guard rest.allSatisfy({ $0 == 0 }) else { throw Self.damaged("something else follows it") }
        return
      case .behindMember:
        guard inflateReset(state) == Z_OK else { throw Self.damaged("zlib cannot go on") }
        place = .inMember
      case .start:
        place = .inMember
      case .inMember:
        try inflate(&rest, take)
      }
    }
  }

  /// Decodes on to the end of the member or of `rest`, which keeps what is not used.
  private func inflate(
    _ rest: inout UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    while place == .inMember {
      let count = min(rest.count, Int(UInt32.max))
      state.pointee.next_in = UnsafeMutablePointer(
        mutating: rest.baseAddress?.assumingMemoryBound(to: UInt8.self))
      state.pointee.avail_in = UInt32(count)
      state.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      state.pointee.avail_out = UInt32(output.count)
      let code = CZlib.inflate(state, Z_NO_FLUSH)
      let used = count - Int(state.pointee.avail_in)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(used))
      let made = output.count - Int(state.pointee.avail_out)
      if made > 0 { try take(UnsafeRawBufferPointer(rebasing: output[..<made])) }
      switch code {
      case Z_STREAM_END: place = .behindMember
      // All is used up and nothing more can be made of it.
      case Z_OK, Z_BUF_ERROR: if rest.isEmpty, state.pointee.avail_out > 0 { return }
      default: throw Self.damaged(state.pointee.msg.map { String(cString: $0) } ?? "zlib says \(code)")
      }
    }
  }

  /// Says that nothing more comes.
  /// - Throws: a failure if the last member is not complete, or there is none.
  package func finish() throws(Failure) {
    switch place {
    case .behindMember, .inPadding: return
    case .start: throw Self.damaged("it is empty")
    case .inMember: throw Self.damaged("it ends too early")
    }
  }

  private static func damaged(_ reason: String) -> Failure {
    Failure(
      .badResponse, "the file is no gzip, or damaged (\(printable(reason)))",
      suggestion: "try without --decompress to see what it is")
  }
}
