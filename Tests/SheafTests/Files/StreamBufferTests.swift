import SheafCore
import TestSupport
import Testing

@testable import Sheaf

@Suite("StreamBuffer")
struct StreamBufferTests {
  @Test("keeps a window's worth of bytes at the file's offsets, for ever")
  func ring() throws {
    let window: Int64 = 10_000
    let entity = Entity(seed: 51, size: 20 << 20)
    let order = try StreamOrder(start: 5, window: window, name: "file")
    var (position, step): (Int64, Int64) = (5, 1)
    while position + step < entity.size {
      try order.buffer.write(entity.bytes(in: position..<position + step), at: position)
      #expect(
        try order.part.bytes(in: ByteRange(position, position + step)) == entity.bytes(in: position..<position + step))
      position += step
      order.buffer.release(upTo: position)
      step = step * 7 % window + 1
    }
  }

  @Test("does not keep what nobody needs any more")
  func released() throws {
    let buffer = try StreamBuffer(window: 1000, start: 0)
    try buffer.write([1, 2, 3, 4], at: 2000)
    buffer.release(upTo: 2002)
    // One write that is too late, and one that is half too late.
    try buffer.write([9, 9], at: 2000)
    try buffer.write([9, 9, 3], at: 2000)
    #expect(try PartFile(path: "", file: buffer).bytes(in: ByteRange(2000, 2004)) == [1, 2, 3, 4])
  }

  @Test("refuses what has no place yet")
  func beyond() throws {
    let buffer = try StreamBuffer(window: 1000, start: 0)
    #expect(throws: SystemError.self) { try buffer.write([1], at: 8 << 20) }
  }
}
