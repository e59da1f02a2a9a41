import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A blocking HTTP client that knows nothing and believes nothing: what it returns is what came over the socket.
final class PlainClient {
  struct Response {
    var head = ""
    var body: [UInt8] = []
    /// True when the connection ended before the body did.
    var isCut = false
    /// True when it ended with a reset.
    var isReset = false

    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    subscript(name: String) -> String? {
      for line in head.utf8.split(separator: 10).map({ String(Substring($0)) }) {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else { continue }
        return String(line[line.index(after: colon)...].drop { $0 == " " }.prefix { $0 != "\r" && $0 != "\r\n" })
      }
      return nil
    }
  }

  private let socket: CInt
  private var pending: [UInt8] = []
  private var hasEnded = false
  private var isReset = false

  init(_ origin: Origin) throws {
    socket = try LoopbackSocket.connect(port: origin.port)
  }

  deinit {
    close(socket)
  }

  func get(_ headers: OriginHeaders = [:], path: String = Origin.defaultPath, method: String = "GET") -> Response {
    send("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers.wireText)\r\n")
    return response(hasBody: method != "HEAD")
  }

  func range(_ range: String, _ headers: OriginHeaders = [:]) -> Response {
    var headers = headers
    headers["Range"] = "bytes=\(range)"
    return get(headers)
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    #if canImport(Glibc)
      _ = Glibc.send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    #else
      _ = Darwin.send(socket, bytes, bytes.count, 0)
    #endif
  }

  /// The first bytes of a body that may never be complete.
  func readStart(_ count: Int) -> [UInt8] {
    _ = line { $0.hasSuffix("\r\n\r\n".utf8) }
    return take(count)
  }

  /// Whether the server has closed the connection and sent nothing more.
  func isAtEnd() -> Bool { pending.isEmpty && !receive() }

  private func response(hasBody: Bool) -> Response {
    var response = Response()
    response.head = line { $0.hasSuffix("\r\n\r\n".utf8) }
    if hasBody, response.status >= 200, response.status != 204, response.status != 304 {
      readBody(of: &response)
    }
    response.isReset = isReset
    return response
  }

  private func readBody(of response: inout Response) {
    if response["Transfer-Encoding"] == "chunked" {
      while true {
        let size = Int(line { $0.hasSuffix("\r\n".utf8) }.prefix { $0.isHexDigit }, radix: 16)
        guard let size else {
          response.isCut = true
          return
        }
        if size > 0 { response.body += take(size) }
        _ = line { $0.hasSuffix("\r\n".utf8) }
        if size == 0 { return }
      }
    } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
      response.body = take(max(length, 0))
      response.isCut = response.body.count < length
    } else {
      while receive() {}
      response.body = pending
      pending = []
    }
  }

  /// The bytes up to where `isComplete` says so; fewer at the connection's end.
  private func line(_ isComplete: (ArraySlice<UInt8>) -> Bool) -> String {
    var count = 0
    while true {
      while count < pending.count {
        count += 1
        if pending[count - 1] == 10, isComplete(pending[..<count]) {
          return String(decoding: removeFirst(count), as: UTF8.self)
        }
      }
      if !receive() { return String(decoding: removeFirst(count), as: UTF8.self) }
    }
  }

  private func take(_ count: Int) -> [UInt8] {
    while pending.count < count, receive() {}
    return removeFirst(min(count, pending.count))
  }

  private func removeFirst(_ count: Int) -> [UInt8] {
    defer { pending.removeFirst(count) }
    return Array(pending[..<count])
  }

  private func receive() -> Bool {
    guard !hasEnded else { return false }
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    let count = recv(socket, &piece, piece.count, 0)
    if count > 0 {
      pending += piece[..<count]
      return true
    }
    hasEnded = true
    isReset = count < 0 && errno == ECONNRESET
    return false
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ text: String.UTF8View) -> Bool { suffix(text.count).elementsEqual(text) }
}
