/// O-36 to O-42, O-49 to O-51: how the end of a body can be told, how it is coded, and what stands around it.
extension NamedBehaviour {
  static let framing =
    [
      NamedBehaviour("gzip-if-offered", "O-36", "200 in gzip, without ranges, to whom offers to read it") { _ in
        .correct.amending(on: Occasion { $0.request.headers["Accept-Encoding"]?.contains("gzip") == true }) {
          exchange, answer in
          answer = OriginAnswer(status: 200, headers: answer.headers, body: .garbage(100_000, seed: 36))
          answer.headers["Content-Encoding"] = "gzip"
        }
      },
      NamedBehaviour("claims-gzip", "O-37", "Content-Encoding: gzip over plain bytes") { _ in .correct.claimingGzip() }
        .ending(with: .failure),
      NamedBehaviour("claims-gzip-later", "O-37", "the same for ranges that do not start the file") { _ in
        .correct.claimingGzip(on: .laterRanges)
      },
      NamedBehaviour("chunked", "O-38", "no length, no ranges, chunks") { _ in .correct.ignoringRanges().chunked() },
      NamedBehaviour("chunked-ranges", "O-38", "ranges, in chunks") { _ in .correct.chunked() },
      NamedBehaviour("chunked-cut", "O-39", "chunks, and the connection closed before the last of them") { entity in
        .correct.ignoringRanges().chunked().closing(after: entity.size / 2)
      }.ending(with: .failure),
      NamedBehaviour("chunked-cut-twice", "O-39", "the same for the first two requests") { entity in
        .correct.ignoringRanges().chunked().closing(after: entity.size / 2, on: .first(2))
      },
      NamedBehaviour("close-delimited", "O-40", "no length, no ranges, ends with the connection") { _ in
        .correct.ignoringRanges().closeDelimited()
      },
      NamedBehaviour("close-delimited-cut", "O-40", "the same, cut in the middle") { entity in
        .correct.ignoringRanges().closeDelimited().closing(after: entity.size / 2)
      }.ending(with: .failure).with { $0.needsDigest = true },
      NamedBehaviour("content-length-and-chunked", "O-42", "a wrong Content-Length beside chunks") { entity in
        .correct.ignoringRanges().chunked().header("Content-Length", "\(entity.size + 1024)")
      }.ending(with: .either),
      NamedBehaviour("early-hints", "O-49", "103 with headers of its own before each answer") { _ in
        .correct.amending { _, answer in
          answer.preamble =
            "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\nETag: \"early\"\r\n"
            + "Content-Length: 7\r\nContent-Disposition: attachment; filename=early\r\n\r\n"
        }
      },
      NamedBehaviour("trailers", "O-50", "chunks and trailers that contradict the head") { _ in
        .correct.chunked().amending { _, answer in
          answer.trailers = ["ETag": "\"trailer\"", "Content-Range": "bytes 0-0/1", "Content-Length": "3"]
        }
      },
      NamedBehaviour("body-beyond-length", "O-51", "a kibibyte more than Content-Length says, then the end") { _ in
        .correct.amending { _, answer in
          answer.headers["Content-Length"] = "\(answer.body.count)"
          answer.body.pieces += OriginBody.garbage(1024, seed: 51).pieces
          answer.keepsAlive = false
        }
      },
    ] + lengths

  /// O-41: Content-Length that is not the body's.
  private static let lengths = [
    NamedBehaviour("content-length-short", "O-41", "ranges with 1000 bytes less in Content-Length") { _ in
      .correct.length(ofStatus: 206) { "\(max($0 - 1000, 0))" }
    },
    NamedBehaviour("content-length-short-whole", "O-41", "no ranges, and 1000 bytes more than stated") { _ in
      .correct.ignoringRanges().length { "\(max($0 - 1000, 0))" }
    }.ending(with: .failure).with { $0.needsDigest = true },
    NamedBehaviour("content-length-long", "O-41", "ranges with 1000 bytes more in Content-Length") { _ in
      .correct.length(ofStatus: 206) { "\($0 + 1000)" }
    },
    NamedBehaviour("content-length-long-whole", "O-41", "no ranges, and 1000 bytes less than stated") { _ in
      .correct.ignoringRanges().length { "\($0 + 1000)" }
    }.ending(with: .failure),
    NamedBehaviour("content-length-overflow", "O-41", "no ranges, a Content-Length of 2^70, half of the file") {
      entity in
      .correct.ignoringRanges().contentLength("1180591620717411303424").closing(after: entity.size / 2)
    }.ending(with: .failure),
    NamedBehaviour("content-length-negative", "O-41", "no ranges, Content-Length: -1, half of the file") { entity in
      .correct.ignoringRanges().contentLength("-1").closing(after: entity.size / 2)
    }.ending(with: .failure),
    NamedBehaviour("content-length-text", "O-41", "no ranges, Content-Length: many, half of the file") { entity in
      .correct.ignoringRanges().contentLength("many").closing(after: entity.size / 2)
    }.ending(with: .failure),
    NamedBehaviour("content-length-twice", "O-41", "no ranges, two Content-Lengths that differ") { entity in
      .correct.ignoringRanges().contentLength("\(entity.size / 2)").amending { _, answer in
        answer.headers.add("Content-Length", "\(answer.body.count)")
      }
    }.ending(with: .either),
  ]
}
