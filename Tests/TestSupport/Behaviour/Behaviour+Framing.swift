/// How the end of a body can be told, and how it is coded.
extension Behaviour {
  /// No length; the body comes in chunks.
  package func chunked(on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { $1.framing = .chunked }
  }

  /// No length; the connection's end is the body's.
  package func closeDelimited(on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { $1.framing = .untilClose }
  }

  /// Content-Length with this text, whatever the body has.
  package func contentLength(_ text: String, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { _, answer in
      answer.headers["Content-Length"] = text
      answer.keepsAlive = false
    }
  }

  /// Says that the body is gzip, which nobody asked for and which it is not.
  package func claimingGzip(on occasion: Occasion = .always) -> Behaviour {
    header("Content-Encoding", "gzip", on: occasion)
  }

  /// A header field with this value in place of any other of its name; nil leaves it out.
  package func header(_ name: String, _ value: String?, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { $1.headers[name] = value }
  }
}
