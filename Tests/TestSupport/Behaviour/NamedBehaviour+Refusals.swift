/// O-33, O-53 to O-57: answers that hold no part of the file.
extension NamedBehaviour {
  static let refusals =
    [400, 401, 403, 404, 410, 412, 416, 429, 500, 502, 503, 504].map { status in
      NamedBehaviour("always-\(status)", hazard(of: status), "\(status) \(OriginAnswer.phrase(status)) to everything") {
        _ in
        .correct.status(status)
      }.ending(with: .failure)
    }
    + [401, 403, 404, 410].map { status in
      NamedBehaviour("\(status)-to-every-fifth", "O-31", "\(status) to every fifth request") { _ in
        .correct.status(status, on: .every(5))
      }
    } + [
      NamedBehaviour("412-to-conditions", "O-33", "412 to every request with If-Range or If-Match") { _ in
        .correct.status(
          412, on: Occasion { $0.request.headers["If-Range"] != nil || $0.request.headers["If-Match"] != nil })
      }.ending(with: .either),
      NamedBehaviour("busy-3-times", "O-53", "503 with Retry-After: 1 three times") { _ in
        .correct.status(503, retryAfter: "1", on: .first(3))
      },
      NamedBehaviour("too-many-requests-3-times", "O-53", "429 with Retry-After: 1 three times") { _ in
        .correct.status(429, retryAfter: "1", on: .first(3))
      },
      NamedBehaviour("too-many-requests-every-third", "O-53", "429 with Retry-After: 2 to every third request") { _ in
        .correct.status(429, retryAfter: "2", on: .every(3))
      },
      NamedBehaviour("retry-after-date", "O-53", "503 with Retry-After as a date two seconds away, twice") { _ in
        .correct.amending(on: .first(2)) { _, answer in
          answer = .page(503, headers: ["Retry-After": HTTPDate.text(wallSeconds() + 2)])
        }
      },
      NamedBehaviour("retry-after-past", "O-53", "503 with Retry-After of 1994, twice") { _ in
        .correct.status(503, retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT", on: .first(2))
      },
      NamedBehaviour("retry-after-garbage", "O-53", "503 with Retry-After: soon, twice") { _ in
        .correct.status(503, retryAfter: "soon", on: .first(2))
      },
      NamedBehaviour("retry-after-far", "O-53", "503 with Retry-After of 10^9 seconds, to the second request") { _ in
        .correct.status(503, retryAfter: "1000000000", on: .request(2))
      }.with { $0.takesLong = true },
      NamedBehaviour("at-most-4-connections", "O-54", "503 on every connection beyond four") { _ in
        .correct.limitingConnections(to: 4)
      },
      NamedBehaviour("at-most-4-requests", "O-54", "503 to every request beyond four at a time") { _ in
        .correct.limitingRequests(to: 4)
      },
      NamedBehaviour("resets-beyond-4-connections", "O-54", "reset on every connection beyond four") { _ in
        .correct.limitingConnections(to: 4, excess: .reset)
      },
      NamedBehaviour("hangs-beyond-4-connections", "O-54", "silence on every connection beyond four") { _ in
        .correct.limitingConnections(to: 4, excess: .hang)
      },
      NamedBehaviour("forbids-beyond-1-connection", "O-54", "403 on every connection beyond one") { _ in
        .correct.limitingConnections(to: 1, excess: .status(403, retryAfter: nil))
      },
      NamedBehaviour("head-405", "O-55", "405 to HEAD") { _ in .correct.status(405, on: .method("HEAD")) },
      NamedBehaviour("head-lies", "O-55", "HEAD says 26 bytes, no ranges and another ETag") { _ in
        .correct.amending(on: .method("HEAD")) { _, answer in
          answer.headers["Content-Length"] = "26"
          answer.headers["Accept-Ranges"] = nil
          answer.headers["ETag"] = "\"head\""
        }
      },
      NamedBehaviour("head-says-empty", "O-55", "HEAD says Content-Length: 0") { _ in
        .correct.header("Content-Length", "0", on: .method("HEAD"))
      },
      NamedBehaviour("head-hangs", "O-55", "silence for HEAD") { _ in
        .correct.cut(.head(after: 0), .stall, on: .method("HEAD"))
      },
      NamedBehaviour("fails-3-times", "O-56", "500 three times") { _ in .correct.status(500, on: .first(3)) },
      NamedBehaviour("bad-gateway-3-times", "O-56", "502 three times") { _ in .correct.status(502, on: .first(3)) },
      NamedBehaviour("gateway-timeout-3-times", "O-56", "504 three times, after the first request") { _ in
        .correct.status(504, on: Occasion { 2...4 ~= $0.number })
      },
      NamedBehaviour("busy-every-third", "O-56", "503 to every third request") { _ in
        .correct.status(503, on: .every(3))
      },
      NamedBehaviour("forgets-a-place", "O-31", "404 to every range that begins in the file's last quarter") { entity in
        .correct.status(404, on: .beginning(from: entity.size / 4 * 3))
      }.ending(with: .either),
      NamedBehaviour("proxy-ignores-ranges", "O-57", "a proxy that answers 200 to every range") { _ in
        .correct.ignoringRanges()
      }.with { $0.access = .proxy },
      NamedBehaviour("proxy-407", "O-57", "a proxy that wants to know who you are") { _ in
        .correct.amending { _, answer in
          answer = .page(407, headers: ["Proxy-Authenticate": "Basic realm=\"origin\""])
        }
      }.ending(with: .failure).with { $0.access = .proxy },
      NamedBehaviour("proxy-stale-ranges", "O-57", "a proxy that serves every second range of an older file") {
        entity in
        let old = Entity(seed: ~entity.seed, size: entity.size)
        return .correct.reading(on: .every(2)) { $1.headers["If-Range"] = nil }
          .changing(to: old, on: .every(2))
      }.ending(with: .either).with {
        $0.access = .proxy
        $0.versions = { [$0, Entity(seed: ~$0.seed, size: $0.size)] }
      },
      NamedBehaviour("ipv6-refuses", "O-58", "a name with an IPv6 address at which nobody listens") { _ in .correct }
        .with { $0.access = .localhost },
    ]

  private static func hazard(of status: Int) -> String {
    switch status {
    case 412: "O-33"
    case 416: "O-20"
    case 429, 503: "O-53"
    case 500...: "O-56"
    default: "O-31"
    }
  }
}
