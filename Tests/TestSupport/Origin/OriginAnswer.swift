/// A whole response before it is sent: everything a rule may make wrong.
package struct OriginAnswer: Sendable {
  package enum Framing: Sendable {
    /// Content-Length follows from the body, unless the headers already hold one.
    case length
    case chunked
    /// No length: the end of the connection ends the body.
    case untilClose
  }

  package struct ContentRange: Sendable {
    package var range: Range<Int64>
    /// Nil writes `*`.
    package var total: Int64?

    package var text: String {
      "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total.map { "\($0)" } ?? "*")"
    }
  }

  package enum Place: Sendable {
    case head(after: Int)
    case body(after: Int64)
  }

  package enum Ending: Sendable {
    case close
    /// A reset, sent when the peer's system has taken all bytes before it.
    case reset
    /// Silence until the origin is stopped or the client leaves.
    case stall
    /// Silence for a while, then the rest.
    case pause(seconds: Double)
  }

  package struct Cut: Sendable {
    package var place: Place
    package var ending: Ending

    package init(_ place: Place, _ ending: Ending) {
      self.place = place
      self.ending = ending
    }
  }

  /// Text sent before the head, for interim responses: whole heads with their empty lines.
  package var preamble = ""
  package var status: Int
  /// Replaces the phrase that belongs to the status.
  package var reason: String?
  package var headers: OriginHeaders
  /// Written as Content-Range unless the headers already hold one.
  package var contentRange: ContentRange?
  package var body = OriginBody()
  package var framing = Framing.length
  /// Sent after a chunked body.
  package var trailers = OriginHeaders()
  /// False closes the connection after the response.
  package var keepsAlive = true
  /// Seconds of silence before the first byte.
  package var latency = 0.0
  /// Bytes of body a second on this connection; nil is as fast as it goes.
  package var rate: Int64?
  package var cut: Cut?
  /// False ends a TLS connection without its close_notify.
  package var saysGoodbye = true

  package init(status: Int, headers: OriginHeaders = [:], body: OriginBody = OriginBody()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer with a small HTML body, as servers and proxies give it.
  package static func page(_ status: Int, headers: OriginHeaders = [:]) -> OriginAnswer {
    var headers = headers
    if headers["Date"] == nil { headers["Date"] = HTTPDate.text(wallSeconds()) }
    headers["Content-Type"] = "text/html"
    let title = "\(status) \(phrase(status))"
    return OriginAnswer(
      status: status, headers: headers,
      body: OriginBody("<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n"))
  }

  /// Keeps the entity's bytes in the body in step with the range that the answer claims.
  package mutating func move(to range: Range<Int64>, of entity: Entity) {
    contentRange?.range = range
    body = OriginBody(entity, range)
  }

  var hasBody: Bool { status >= 200 && status != 204 && status != 304 }

  /// The response head with its empty line.
  package func head(keepingAlive: Bool) -> String {
    var headers = headers
    if let contentRange, headers["Content-Range"] == nil { headers["Content-Range"] = contentRange.text }
    switch framing {
    case .length: if hasBody, headers["Content-Length"] == nil { headers["Content-Length"] = "\(body.count)" }
    case .chunked: headers["Transfer-Encoding"] = headers["Transfer-Encoding"] ?? "chunked"
    case .untilClose: break
    }
    if !keepingAlive, headers["Connection"] == nil { headers["Connection"] = "close" }
    return "HTTP/1.1 \(status) \(reason ?? Self.phrase(status))\r\n\(headers.wireText)\r\n"
  }

  package static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 407: "Proxy Authentication Required"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 416: "Range Not Satisfiable"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: "Status"
    }
  }
}
