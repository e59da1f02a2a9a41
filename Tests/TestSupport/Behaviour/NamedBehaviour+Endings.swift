/// O-43 to O-48: connections that end, or fall silent, too early; heads that never end.
extension NamedBehaviour {
  static let endings = [
    NamedBehaviour("closes-after-1m", "O-43", "closes after 1 MiB of each body") { _ in .correct.closing(after: 1 << 20)
    },
    NamedBehaviour("closes-at-mebibytes", "O-43", "promises the range, closes at the file's next full MiB") { _ in
      .correct.amending(on: .ranges) { _, answer in
        guard let range = answer.contentRange?.range else { return }
        answer.cut = .init(.body(after: (1 << 20) - range.lowerBound % (1 << 20)), .close)
      }
    },
    NamedBehaviour("closes-3-times", "O-43", "closes the first three bodies halfway through the file") { entity in
      .correct.closing(after: entity.size / 2, on: .first(3))
    },
    NamedBehaviour("closes-once-a-segment", "O-43", "closes every second body after 100,000 bytes") { _ in
      .correct.closing(after: 100_000, on: .every(2))
    },
    NamedBehaviour("closes-without-ranges", "O-43", "no ranges, closes each body in the middle") { entity in
      .correct.ignoringRanges().closing(after: entity.size / 2)
    }.ending(with: .failure),
    NamedBehaviour("closes-at-once", "O-43", "closes before the first byte of each answer") { _ in
      .correct.cut(.head(after: 0), .close)
    }.ending(with: .failure).with { $0.isSilent = true },
    NamedBehaviour("resets-after-1m", "O-44", "resets after 1 MiB of each body") { _ in
      .correct.resetting(after: 1 << 20)
    },
    NamedBehaviour("resets-3-times", "O-44", "resets the first three bodies after 64 KiB") { _ in
      .correct.resetting(after: 64 << 10, on: .first(3))
    },
  ]

  static let silence = [
    NamedBehaviour("stalls-after-64k", "O-45", "the second request falls silent after 64 KiB") { _ in
      .correct.stalling(after: 64 << 10, on: .request(2))
    },
    NamedBehaviour("stalls-every-third", "O-45", "every third request falls silent after 64 KiB") { _ in
      .correct.stalling(after: 64 << 10, on: .every(3))
    },
    NamedBehaviour("stalls-for-ever", "O-45", "each body falls silent after 64 KiB") { _ in
      .correct.stalling(after: 64 << 10)
    }.ending(with: .either).with { $0.takesLong = true },
    NamedBehaviour("pauses-for-30s", "O-45", "the second request pauses for half a minute after 64 KiB") { _ in
      .correct.cut(.body(after: 64 << 10), .pause(seconds: 30), on: .request(2))
    },
    NamedBehaviour("one-byte-a-second", "O-46", "one byte a second on every connection") { _ in .correct.rate(1) }
      .ending(with: .either).with { $0.takesLong = true },
    NamedBehaviour("one-byte-a-second-later", "O-46", "one byte a second from the second request on") { _ in
      .correct.rate(1, on: .request(2))
    }.ending(with: .either).with { $0.takesLong = true },
    NamedBehaviour("stalls-in-head", "O-47", "the second request falls silent within the head") { _ in
      .correct.cut(.head(after: 20), .stall, on: .request(2))
    },
    NamedBehaviour("stalls-in-every-head", "O-47", "every request falls silent within the head") { _ in
      .correct.cut(.head(after: 20), .stall)
    }.ending(with: .failure).with { $0.isSilent = true },
    NamedBehaviour("endless-headers", "O-48", "a head that never ends") { _ in
      .flooding(
        start: "HTTP/1.1 206 Partial Content\r\n", again: "X-Filler: \(String(repeating: "x", count: 1000))\r\n")
    }.ending(with: .failure).with { $0.isSilent = true },
    NamedBehaviour("endless-1xx", "O-48", "interim answers without end") { _ in
      .flooding(start: "", again: "HTTP/1.1 102 Processing\r\n\r\n")
    }.ending(with: .failure).with { $0.isSilent = true },
    NamedBehaviour("header-line-of-1m", "O-48", "one header line of a mebibyte") { _ in
      .correct.header("X-Long", String(repeating: "x", count: 1 << 20))
    }.ending(with: .either),
  ]

  static let pace = [
    NamedBehaviour("one-slow-connection", "O-46", "the fifth connection has a fiftieth of the rate") { _ in
      .correct.slowing(by: 50, on: .connection(5))
    },
    NamedBehaviour("every-eighth-connection-slow", "O-46", "each eighth connection has a fiftieth of the rate") { _ in
      .correct.slowing(by: 50, on: .everyConnection(8))
    },
    NamedBehaviour("one-frozen-connection", "O-45", "the fifth connection falls silent after 64 KiB") { _ in
      .correct.stalling(after: 64 << 10, on: .connection(5))
    },
  ]
}
