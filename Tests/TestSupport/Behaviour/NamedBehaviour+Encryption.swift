/// O-52, O-59: TLS and HTTP/2, right and wrong.
extension NamedBehaviour {
  static let encryption =
    [
      tls("tls", "TLS with a certificate for this host", .none),
      tls("tls-wrong-host", "a certificate for another host", .wrongHost).ending(with: .failure),
      tls("tls-expired", "a certificate whose time is over", .expired).ending(with: .failure),
      tls("tls-self-signed", "a certificate that nobody signed", .selfSigned).ending(with: .failure),
      NamedBehaviour("tls-truncated", "O-59", "no length, cut in the middle without close_notify") { entity in
        .correct.ignoringRanges().closeDelimited().closing(after: entity.size / 2)
          .amending { $1.saysGoodbye = false }
      }.ending(with: .failure).with { $0.access = .tls(.none) },
      NamedBehaviour("tls-cut-ranges", "O-59", "closes after 1 MiB of each body without close_notify") { _ in
        .correct.closing(after: 1 << 20).amending { $1.saysGoodbye = false }
      }.with { $0.access = .tls(.none) },
    ] + [
      http2("h2", "HTTP/2 through nghttpx") { _ in .correct },
      http2("h2-resets", "HTTP/2; each stream is reset after 1 MiB") { _ in .correct.resetting(after: 1 << 20) },
      http2("h2-resets-3-times", "HTTP/2; the first three streams are reset after 64 KiB") { _ in
        .correct.resetting(after: 64 << 10, on: .first(3))
      },
      http2("h2-closes-without-length", "HTTP/2; no ranges, chunks, cut in the middle") { entity in
        .correct.ignoringRanges().chunked().closing(after: entity.size / 2)
      }.ending(with: .failure),
      http2("h2-goaway", "HTTP/2 through nginx, which sends GOAWAY after every second request") { _ in .correct }
        .with { $0.access = .http2GoingAway },
      http2("h2-goaway-cut", "the same, and each body is cut after 1 MiB") { _ in .correct.closing(after: 1 << 20) }
        .with { $0.access = .http2GoingAway },
    ]

  private static func tls(_ name: String, _ summary: String, _ flaw: TestAuthority.Flaw) -> NamedBehaviour {
    NamedBehaviour(name, "O-59", summary) { _ in .correct }.with { $0.access = .tls(flaw) }
  }

  private static func http2(
    _ name: String, _ summary: String, _ make: @escaping @Sendable (Entity) -> Behaviour
  ) -> NamedBehaviour {
    NamedBehaviour(name, "O-52", summary, make).with { $0.access = .http2 }
  }
}
