/// O-29 to O-32: redirects, and links that stop working.
extension NamedBehaviour {
  static let redirects = [
    NamedBehaviour("redirects-each-request", "O-29", "each request is sent to one of two hosts, each in its turn") {
      _ in
      .correct.amending(on: .withoutQuery) { exchange, answer in
        let base = exchange.number.isMultiple(of: 2) ? exchange.base : exchange.otherBase
        answer = .page(302, headers: ["Location": "\(base)\(exchange.request.path)?copy=\(exchange.number)"])
      }
    },
    NamedBehaviour("redirects-once", "O-29", "one redirect, then the file") { _ in .correct.redirecting(hops: 1) },
    NamedBehaviour("redirects-with-another-etag", "O-29", "a redirect with an ETag of its own, then the file") { _ in
      .correct.redirecting(hops: 1).header("ETag", "\"of-the-redirect\"", on: .withoutQuery)
    },
    NamedBehaviour("redirects-5-times", "O-30", "five redirects, then the file") { _ in .correct.redirecting(hops: 5) },
    NamedBehaviour("redirects-21-times", "O-30", "21 redirects, then the file") { _ in .correct.redirecting(hops: 21) }
      .ending(with: .either),
    NamedBehaviour("redirect-loop", "O-30", "redirects to itself") { _ in .correct.redirectingInCircles() }
      .ending(with: .failure),
    NamedBehaviour("redirects-to-plain-http", "O-30", "from https to http") { _ in
      .correct.amending(on: Occasion { $0.scheme == "https" }) { exchange, answer in
        answer = .page(302, headers: ["Location": "http://127.0.0.1:\(exchange.port)\(exchange.request.path)?plain"])
      }
    }.ending(with: .either).with { $0.access = .tls(.none) },
    NamedBehaviour("redirects-to-a-file", "O-30", "to file:///etc/passwd") { _ in
      .correct.redirecting(to: "file:///etc/passwd")
    }.ending(with: .failure),
    NamedBehaviour("redirects-to-ftp", "O-30", "to an FTP server") { _ in
      .correct.redirecting(to: "ftp://127.0.0.1:9/file.bin")
    }.ending(with: .failure),
    NamedBehaviour("redirects-to-another-origin", "O-30", "to another host, which refuses secrets with 400") { _ in
      .correct.amending { exchange, answer in
        if exchange.request.query == nil {
          answer = .page(302, headers: ["Location": "\(exchange.otherBase)\(exchange.request.path)?elsewhere"])
        } else if ["Authorization", "Cookie", "X-Secret"].contains(where: { exchange.request.headers[$0] != nil }) {
          answer = .page(400)
        }
      }
    },
  ]

  static let links =
    [403, 401, 410, 400].map { status in
      NamedBehaviour(
        "signed-links-\(status)", "O-31", "a link for eight requests, then \(status) with XML; the URL gives new ones"
      ) { _ in .correct.signedLinks(requests: 8, thereafter: status) }
    } + [
      NamedBehaviour("signed-link-for-2s", "O-31", "a link for two seconds, then 403 with XML; the URL gives new ones")
      { _ in
        .correct.signedLinks(seconds: 2)
      },
      NamedBehaviour("one-shot-link", "O-32", "the first request is answered, all others with 410") { _ in
        .correct.status(410, on: .after(1))
      }.ending(with: .either),
      NamedBehaviour("one-shot-link-whole", "O-32", "the same, without ranges") { _ in
        .correct.ignoringRanges().status(410, on: .after(1))
      }.with { $0.before = { ($0, .correct.ignoringRanges()) } },
    ]
}
