/// Reads one request after another from a connection.
struct RequestReader {
  private let stream: OriginStream
  private var pending: [UInt8] = []

  private static let longestHead = 256 << 10

  init(_ stream: OriginStream) {
    self.stream = stream
  }

  /// The next request, or nil when the client has gone or does not speak HTTP.
  mutating func next() -> OriginRequest? {
    guard let end = readHead() else { return nil }
    let head = pending[..<end]
    let request = Self.parse(String(decoding: head, as: UTF8.self))
    pending.removeFirst(end)
    guard let request, skipBody(of: request) else { return nil }
    return request
  }

  /// Reads until the empty line; the count of bytes up to its end.
  private mutating func readHead() -> Int? {
    var searched = 0
    while true {
      if let end = endOfHead(from: searched) { return end }
      searched = pending.count
      guard pending.count < Self.longestHead, receive() else { return nil }
    }
  }

  private func endOfHead(from start: Int) -> Int? {
    var place = start
    while let feed = pending[place...].firstIndex(of: UInt8(ascii: "\n")) {
      if feed >= 3, pending[feed - 1] == 13, pending[feed - 2] == 10, pending[feed - 3] == 13 { return feed + 1 }
      place = feed + 1
    }
    return nil
  }

  private mutating func skipBody(of request: OriginRequest) -> Bool {
    var left = request.headers["Content-Length"].flatMap { Int($0) } ?? 0
    while left > 0 {
      if pending.isEmpty, !receive() { return false }
      let count = min(left, pending.count)
      pending.removeFirst(count)
      left -= count
    }
    return true
  }

  private mutating func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 8192)
    guard let count = buffer.withUnsafeMutableBytes({ stream.receive($0) }) else { return false }
    pending += buffer[..<count]
    return true
  }

  private static func parse(_ head: String) -> OriginRequest? {
    // A carriage return and a line feed are one Character, hence the scalars of UTF-8.
    let lines = head.utf8.split(separator: UInt8(ascii: "\n")).map { line in
      String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
    }
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    var headers = OriginHeaders()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.add(String(line[..<colon]), String(value))
    }
    return OriginRequest(
      method: String(words[0]), target: String(words[1]), version: String(words[2]), headers: headers)
  }
}
