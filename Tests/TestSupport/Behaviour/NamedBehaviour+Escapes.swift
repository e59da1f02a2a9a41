/// O-61: control characters for terminals that print what a server says.
extension NamedBehaviour {
  /// Clears the screen, sets the window's title, rings, and goes on in eight-bit controls.
  package static let escape = "\u{1B}[2J\u{1B}]0;owned\u{07}\u{9B}31m\u{202E}"

  static let escapes = [
    NamedBehaviour("escapes-in-reason", "O-61", "404 with control characters for its phrase") { _ in
      .correct.status(404).amending { $1.reason = escape }
    }.ending(with: .failure),
    NamedBehaviour("escapes-in-headers", "O-61", "control characters in Server, ETag and Content-Type") { _ in
      .correct.amending { _, answer in
        answer.headers["Server"] = escape
        answer.headers["Content-Type"] = "text/\(escape)"
        answer.headers["ETag"] = "\"\(escape)\""
      }
    }.ending(with: .either),
    NamedBehaviour("escapes-in-location", "O-61", "a redirect to a URL with control characters") { _ in
      .correct.amending { exchange, answer in
        answer = .page(302, headers: ["Location": "\(exchange.base)/\(escape)"])
      }
    }.ending(with: .failure),
    NamedBehaviour("escapes-in-name", "O-61", "control characters in Content-Disposition") { _ in
      .correct.header("Content-Disposition", "attachment; filename=\"\(escape).bin\"")
    },
    NamedBehaviour("escapes-in-body", "O-61", "404 with a body of control characters") { _ in
      .correct.status(404).amending { $1.body = OriginBody(escape) }
    }.ending(with: .failure),
    NamedBehaviour("escapes-in-retry-after", "O-61", "503 with control characters in Retry-After") { _ in
      .correct.status(503, retryAfter: escape)
    }.ending(with: .failure),
  ]
}
