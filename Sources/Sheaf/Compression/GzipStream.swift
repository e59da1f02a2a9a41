import CZlib
package import SheafCore
import Synchronization

/// Decodes gzip (RFC 1952), also several members one after the other, in steps of bounded size. Zeros may follow the last one,
/// as tape archives have them.
package final class GzipStream: Sendable {
  /// Lives as long as the object, behind a pointer, because zlib's own state points back to it.
  private struct State: ~Copyable {
    let place = Place()
    var phase = Phase.start

    var stream: UnsafeMutablePointer<z_stream> { place.stream }

    deinit {
      inflateEnd(stream)
      stream.deallocate()
    }
  }

  private enum Phase {
    /// Nothing has come yet.
    case start
    case inMember
    case behindMember
    case inPadding
  }

  /// Used under the lock of its state only.
  private struct Place: @unchecked Sendable {
    let stream: UnsafeMutablePointer<z_stream>

    init() {
      stream = .allocate(capacity: 1)
      stream.initialize(to: z_stream())
    }
  }

  private let state = Mutex(State())

  /// The header's first bytes.
  package static let magic: [UInt8] = [0x1F, 0x8B]

  /// - Throws: a failure if there is no memory.
  package init() throws(Failure) {
    let status = state.withLock { state in
      // 16 asks for gzip and nothing else.
      inflateInit2_(state.stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }
    guard status == Z_OK else { throw Failure(.fileIO, "there is no memory to decode gzip with") }
  }

  /// Another one that goes on from here by itself.
  /// - Throws: a failure if there is no memory.
  package func copy() throws(Failure) -> GzipStream {
    let copy = try GzipStream()
    let status = state.withLock { state in
      let (original, phase) = (state.place, state.phase)
      return copy.state.withLock { other in
        inflateEnd(other.stream)
        other.phase = phase
        return inflateCopy(other.stream, original.stream)
      }
    }
    guard status == Z_OK else { throw Failure(.fileIO, "there is no memory to decode gzip with") }
    return copy
  }

  /// Whether the input may end here.
  package var mayEnd: Bool { state.withLock { $0.phase == .behindMember || $0.phase == .inPadding } }

  /// Decodes the beginning of `input`, which it removes, to at most `most` bytes. Call it again while `input` is not
  /// empty or as many came.
  /// - Throws: a failure if the input is no gzip or damaged.
  package func decode(_ input: inout ArraySlice<UInt8>, atMost most: Int) throws(Failure) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: most)
    let (used, made, isBroken) = state.withLock { state -> (Int, Int, Bool) in
      input.withUnsafeBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
          let stream = state.stream
          // zlib does not write to its input; its type is older than const.
          stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
          stream.pointee.avail_in = UInt32(clamping: source.count)
          stream.pointee.next_out = target.baseAddress
          stream.pointee.avail_out = UInt32(clamping: target.count)
          var status = Z_OK
          while stream.pointee.avail_out > 0 {
            if state.phase != .inMember {
              guard stream.pointee.avail_in > 0, let next = stream.pointee.next_in else { break }
              if state.phase == .behindMember, next.pointee == 0 { state.phase = .inPadding }
              if state.phase == .inPadding {
                let rest = UnsafeBufferPointer(start: next, count: Int(stream.pointee.avail_in))
                if rest.allSatisfy({ $0 == 0 }) { stream.pointee.avail_in = 0 } else { status = Z_DATA_ERROR }
                break
              }
              inflateReset(stream)
              state.phase = .inMember
            }
            status = inflate(stream, Z_NO_FLUSH)
            if status == Z_STREAM_END { state.phase = .behindMember } else if status != Z_OK { break }
          }
          let isBroken = ![Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status)
          return (
            source.count - Int(stream.pointee.avail_in), target.count - Int(stream.pointee.avail_out), isBroken
          )
        }
      }
    }
    guard !isBroken else { throw Failure(.fileIO, "it is no gzip, or damaged") }
    input = input.dropFirst(used)
    output.removeLast(output.count - made)
    return output
  }
}
