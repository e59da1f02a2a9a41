/// O-26 to O-28, O-33: another file under the same URL.
extension NamedBehaviour {
  static let changes = [
    changing("changes-after-4", "other bytes of the same size under a new ETag after four requests") { other($0) },
    changing("shrinks-after-4", "fewer bytes under a new ETag after four requests") { smaller($0) },
    changing("grows-after-4", "more bytes under a new ETag after four requests") {
      Entity(seed: ~$0.seed, size: $0.size + 4096)
    },
    changing("changes-after-2", "other bytes of the same size under a new ETag after two requests") { other($0) },
    NamedBehaviour("changes-under-same-etag", "O-26", "other bytes under the same ETag after four requests") { entity in
      .correct.changing(to: other(entity), on: .after(4), etag: .unchanged)
    }.ending(with: .either).with { $0.needsDigest = true },
    NamedBehaviour(
      "changes-under-weak-etag", "O-26", "other bytes under the same weak ETag after four requests"
    ) { entity in
      .correct.weakETag().changing(to: other(entity), on: .after(4), etag: .unchanged)
    }.ending(with: .either).with {
      $0.versions = { [$0, other($0)] }
      $0.before = { ($0, .correct.weakETag()) }
    },
    NamedBehaviour(
      "changes-last-modified-after-4", "O-26", "no ETag; other bytes and a new Last-Modified after four requests"
    ) { entity in
      .correct.lastModifiedOnly().changing(to: other(entity), on: .after(4))
        .presenting(on: .after(4)) { $1.lastModified = 1_700_000_600 }
    }.ending(with: .either).with {
      $0.versions = { [$0, other($0)] }
      $0.before = { ($0, .correct.lastModifiedOnly()) }
    },
    NamedBehaviour("changes-without-if-range", "O-26", "as changes-after-4, and deaf to If-Range") { entity in
      .correct.reading { $1.headers["If-Range"] = nil }.changing(to: other(entity), on: .after(4))
    }.ending(with: .either).with { $0.versions = { [$0, other($0)] } },
    NamedBehaviour("changes-every-4", "O-26", "another version after each four requests, for ever") { entity in
      .correct.presenting { exchange, representation in
        representation = Representation(
          Entity(seed: entity.seed &+ UInt64((exchange.number - 1) / 4), size: entity.size))
      }
    }.ending(with: .either).with {
      $0.versions = { entity in (0..<400).map { Entity(seed: entity.seed &+ $0, size: entity.size) } }
    },
    NamedBehaviour("changed-between-runs", "O-27", "another file of the same size than the earlier run saw") { _ in
      .correct
    }.with { $0.before = { (other($0), .correct) } },
    NamedBehaviour("shrunk-between-runs", "O-27", "a smaller file than the earlier run saw") { _ in .correct }
      .with { $0.before = { (Entity(seed: ~$0.seed, size: $0.size * 5 / 3), .correct) } },
    NamedBehaviour("changed-between-runs-same-etag", "O-27", "the same, under the old ETag") { entity in
      .correct.etag(Representation.etag(of: other(entity)))
    }.ending(with: .either).with {
      $0.needsDigest = true
      $0.before = { (other($0), .correct) }
    },
    NamedBehaviour("alternating-etags", "O-28", "the same bytes and date under two ETags in turn") { _ in
      .correct.lastModified(1_700_000_000).etag("\"other\"", on: .every(2))
    }.ending(with: .either),
    NamedBehaviour("changes-with-412", "O-33", "as changes-after-4, with 412 to an If-Range that no longer holds") {
      entity in
      .correct.changing(to: other(entity), on: .after(4)).amending(on: .after(4)) { exchange, answer in
        if let tag = exchange.request.headers["If-Range"], tag != Representation.etag(of: other(entity)) {
          answer = .page(412)
        }
      }
    }.with { $0.versions = { [$0, other($0)] } },
  ]

  private static func changing(
    _ name: String, _ summary: String, into next: @escaping @Sendable (Entity) -> Entity
  ) -> NamedBehaviour {
    NamedBehaviour(name, "O-26", summary) { entity in
      .correct.changing(to: next(entity), on: .after(name.hasSuffix("2") ? 2 : 4))
    }.with { $0.versions = { [$0, next($0)] } }
  }

  private static func other(_ entity: Entity) -> Entity { Entity(seed: ~entity.seed, size: entity.size) }

  private static func smaller(_ entity: Entity) -> Entity { Entity(seed: ~entity.seed, size: entity.size / 2) }
}
