/// A behaviour with a name, for command lines and for tests that run them all.
///
/// To add one: write a function in the fitting `Behaviour+Aspect.swift` if the settings do not suffice, and a line here.
package struct NamedBehaviour: Sendable, CustomStringConvertible {
  package let name: String
  package let summary: String
  private let make: @Sendable (Entity) -> Behaviour

  init(_ name: String, _ summary: String, _ make: @escaping @Sendable (Entity) -> Behaviour) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// The behaviour for an entity, on top of settings that are already made (such as a rate).
  package func behaviour(for entity: Entity, over base: Behaviour = .correct) -> Behaviour {
    base.and(make(entity))
  }

  package var description: String { name }

  package static func named(_ name: String) -> NamedBehaviour? { all.first { $0.name == name } }

  package static let all = validators + ranges + framing + endings + pace + refusals + redirects + changes

  private static let validators = [
    NamedBehaviour("correct", "ranges, conditions and a strong ETag") { _ in .correct },
    NamedBehaviour("last-modified-only", "no ETag; Last-Modified a day before Date") { _ in
      .correct.lastModifiedOnly()
    },
    NamedBehaviour("last-modified-one-second-old", "no ETag; Last-Modified a second before Date") { _ in
      .correct.lastModifiedOnly(dateAfter: 1)
    },
    NamedBehaviour("last-modified-equals-date", "no ETag; Last-Modified too young to be strong") { _ in
      .correct.lastModifiedOnly(dateAfter: 0)
    },
    NamedBehaviour("last-modified-without-date", "no ETag, no Date; Last-Modified alone") { _ in
      .correct.lastModifiedOnly(dateAfter: nil)
    },
    NamedBehaviour("weak-etag", "a weak ETag and nothing else") { _ in .correct.weakETag() },
    NamedBehaviour("no-validator", "neither ETag nor Last-Modified") { _ in .correct.noValidator() },
  ]

  private static let ranges = [
    NamedBehaviour("ignores-ranges", "200 with everything, whatever is asked") { _ in .correct.ignoringRanges() },
    NamedBehaviour("claims-ranges-but-ignores-them", "the same, with Accept-Ranges: bytes") { _ in
      .correct.ignoringRanges(claimingThem: true)
    },
    NamedBehaviour("ignores-ranges-after-4", "206 for four requests, then 200") { _ in
      .correct.ignoringRanges(claimingThem: true, on: .after(4))
    },
    NamedBehaviour("whole-file-206", "206 from 0 to the end for every range") { _ in .correct.answeringWholeFile() },
    NamedBehaviour("lies-about-start", "206 labelled as asked over the first bytes") { _ in
      .correct.lyingAboutStart()
    },
    NamedBehaviour("no-content-range", "206 without Content-Range") { _ in .correct.omittingContentRange() },
    NamedBehaviour("starts-earlier", "206 that begins 1000 bytes too early") { _ in
      .correct.shiftingStart(by: -1000, on: .laterRanges)
    },
    NamedBehaviour("starts-later", "206 that begins 1000 bytes too late") { _ in
      .correct.shiftingStart(by: 1000, on: .laterRanges)
    },
    NamedBehaviour("shorter-ranges", "206 with at most 64 KiB of what was asked") { _ in
      .correct.shorteningRanges(to: 64 << 10)
    },
    NamedBehaviour("longer-ranges", "206 that goes on to the end of the file") { _ in
      .correct.lengtheningRangesToEnd()
    },
    NamedBehaviour("changed-total", "another total from the second range on") { entity in
      .correct.total(entity.size + 1, on: .after(1))
    },
    NamedBehaviour("unknown-total", "Content-Range with * for the total") { _ in .correct.total(nil) },
  ]

  private static let framing = [
    NamedBehaviour("chunked", "no length, no ranges, chunks") { _ in .correct.ignoringRanges().chunked() },
    NamedBehaviour("chunked-ranges", "ranges, in chunks") { _ in .correct.chunked() },
    NamedBehaviour("close-delimited", "no length, no ranges, ends with the connection") { _ in
      .correct.ignoringRanges().closeDelimited()
    },
    NamedBehaviour("claims-gzip", "Content-Encoding: gzip over plain bytes") { _ in .correct.claimingGzip() },
  ]

  private static let endings = [
    NamedBehaviour("closes-after-1m", "closes after 1 MiB of each body") { _ in .correct.closing(after: 1 << 20) },
    NamedBehaviour("closes-3-times", "closes the first three bodies halfway through the file") { entity in
      .correct.closing(after: entity.size / 2, on: .first(3))
    },
    NamedBehaviour("resets-after-1m", "resets after 1 MiB of each body") { _ in .correct.resetting(after: 1 << 20) },
    NamedBehaviour("resets-3-times", "resets the first three bodies after 64 KiB") { _ in
      .correct.resetting(after: 64 << 10, on: .first(3))
    },
    NamedBehaviour("stalls-after-64k", "the second request falls silent after 64 KiB") { _ in
      .correct.stalling(after: 64 << 10, on: .request(2))
    },
    NamedBehaviour("stalls-in-head", "the second request falls silent within the head") { _ in
      .correct.cut(.head(after: 20), .stall, on: .request(2))
    },
  ]

  private static let pace = [
    NamedBehaviour("one-slow-connection", "the fifth connection has a fiftieth of the rate") { _ in
      .correct.slowing(by: 50, on: .connection(5))
    },
    NamedBehaviour("every-eighth-connection-slow", "each eighth connection has a fiftieth of the rate") { _ in
      .correct.slowing(by: 50, on: .everyConnection(8))
    },
    NamedBehaviour("one-frozen-connection", "the fifth connection falls silent after 64 KiB") { _ in
      .correct.stalling(after: 64 << 10, on: .connection(5))
    },
  ]

  private static let refusals =
    [400, 401, 403, 404, 410, 416, 429, 500, 502, 503, 504].map { status in
      NamedBehaviour("always-\(status)", "\(status) \(OriginAnswer.phrase(status)) to everything") { _ in
        .correct.status(status)
      }
    } + [
      NamedBehaviour("busy-3-times", "503 with Retry-After: 1 three times") { _ in
        .correct.status(503, retryAfter: "1", on: .first(3))
      },
      NamedBehaviour("too-many-requests-3-times", "429 with Retry-After: 1 three times") { _ in
        .correct.status(429, retryAfter: "1", on: .first(3))
      },
      NamedBehaviour("fails-3-times", "500 three times") { _ in .correct.status(500, on: .first(3)) },
      NamedBehaviour("refuses-later-ranges", "416 to every range that does not start the file") { _ in
        .correct.status(416, on: .laterRanges)
      },
      NamedBehaviour("at-most-4-connections", "503 on every connection beyond four") { _ in
        .correct.limitingConnections(to: 4)
      },
      NamedBehaviour("at-most-4-requests", "503 to every request beyond four at a time") { _ in
        .correct.limitingRequests(to: 4)
      },
      NamedBehaviour("resets-beyond-4-connections", "reset on every connection beyond four") { _ in
        .correct.limitingConnections(to: 4, excess: .reset)
      },
      NamedBehaviour("hangs-beyond-4-connections", "silence on every connection beyond four") { _ in
        .correct.limitingConnections(to: 4, excess: .hang)
      },
    ]

  private static let redirects = [
    NamedBehaviour("redirects-once", "one redirect, then the file") { _ in .correct.redirecting(hops: 1) },
    NamedBehaviour("redirects-5-times", "five redirects, then the file") { _ in .correct.redirecting(hops: 5) },
    NamedBehaviour("redirects-21-times", "21 redirects, then the file") { _ in .correct.redirecting(hops: 21) },
    NamedBehaviour("redirect-loop", "redirects to itself") { _ in .correct.redirectingInCircles() },
  ]

  private static let changes = [
    NamedBehaviour("changes-after-4", "other bytes of the same size under a new ETag after four requests") { entity in
      .correct.changing(to: Entity(seed: ~entity.seed, size: entity.size), on: .after(4))
    },
    NamedBehaviour("shrinks-after-4", "fewer bytes under a new ETag after four requests") { entity in
      .correct.changing(to: Entity(seed: ~entity.seed, size: entity.size / 2), on: .after(4))
    },
    NamedBehaviour("grows-after-4", "more bytes under a new ETag after four requests") { entity in
      .correct.changing(to: Entity(seed: ~entity.seed, size: entity.size + 4096), on: .after(4))
    },
    NamedBehaviour("changes-under-same-etag", "other bytes under the same ETag after four requests") { entity in
      .correct.changing(to: Entity(seed: ~entity.seed, size: entity.size), on: .after(4), etag: .unchanged)
    },
    NamedBehaviour("alternating-etags", "the same bytes under two ETags in turn") { _ in
      .correct.etag("\"other\"", on: .every(2))
    },
  ]
}
