/// O-05 to O-15, O-17 to O-22: wrong answers to right range requests.
extension NamedBehaviour {
  static let ranges = [
    NamedBehaviour("ignores-ranges", "O-05", "200 with everything, whatever is asked") { _ in .correct.ignoringRanges()
    },
    NamedBehaviour("claims-ranges-but-ignores-them", "O-05", "the same, with Accept-Ranges: bytes") { _ in
      .correct.ignoringRanges(claimingThem: true)
    },
    NamedBehaviour("ignores-ranges-after-4", "O-06", "206 for four requests, then 200") { _ in
      .correct.ignoringRanges(claimingThem: true, on: .after(4))
    },
    NamedBehaviour("whole-file-206", "O-07", "206 from 0 to the end for every range") { _ in
      .correct.answeringWholeFile()
    },
    NamedBehaviour("whole-file-206-later", "O-07", "the same for ranges that do not start the file") { _ in
      .correct.answeringWholeFile(on: .laterRanges)
    },
    NamedBehaviour("whole-file-206-chunked", "O-07", "the same, in chunks") { _ in
      .correct.answeringWholeFile(on: .laterRanges).chunked()
    },
    NamedBehaviour("lies-about-start", "O-08", "206 labelled as asked over the first bytes") { _ in
      .correct.lyingAboutStart()
    }.with { $0.needsDigest = true }.ending(with: .either),
    NamedBehaviour("no-content-range", "O-09", "206 without Content-Range") { _ in .correct.omittingContentRange() },
    NamedBehaviour("no-content-range-later", "O-09", "the same for ranges that do not start the file") { _ in
      .correct.omittingContentRange(on: .laterRanges)
    },
    NamedBehaviour("starts-earlier", "O-10", "206 that begins 1000 bytes too early") { _ in
      .correct.shiftingStart(by: -1000, on: .laterRanges)
    },
    NamedBehaviour("starts-later", "O-11", "206 that begins 1000 bytes too late") { _ in
      .correct.shiftingStart(by: 1000, on: .laterRanges)
    },
    NamedBehaviour("shorter-ranges", "O-12", "206 with at most 64 KiB of what was asked") { _ in
      .correct.shorteningRanges(to: 64 << 10)
    },
    NamedBehaviour("longer-ranges", "O-13", "206 that goes on to the end of the file") { _ in
      .correct.lengtheningRangesToEnd()
    },
    NamedBehaviour("changed-total", "O-14", "another total from the second range on") { entity in
      .correct.total(entity.size + 1, on: .after(1))
    }.ending(with: .either),
    NamedBehaviour("unknown-total", "O-15", "Content-Range with * for the total") { _ in .correct.total(nil) },
    NamedBehaviour("two-content-ranges", "O-17", "a second Content-Range, of another range") { entity in
      .correct.amending(on: .ranges) { _, answer in
        guard let range = answer.contentRange else { return }
        answer.headers.add("Content-Range", range.text)
        answer.headers.add("Content-Range", "bytes 0-9/\(entity.size)")
      }
    },
    NamedBehaviour("multipart", "O-18", "multipart/byteranges for a single range") { _ in .correct.multipart() },
    NamedBehaviour("multipart-later", "O-18", "the same for ranges that do not start the file") { _ in
      .correct.multipart(on: .laterRanges)
    },
    NamedBehaviour("416-at-end", "O-19", "416 with 206 bytes of HTML for a range that begins at the end") { entity in
      .correct.amending(on: .beginning(at: entity.size)) { exchange, answer in
        answer = .page(416, headers: ["Content-Range": "bytes */\(exchange.entity.size)"])
        answer.body = OriginBody(String(repeating: "<p>416</p>", count: 20) + "<hr/>\n")
      }
    },
    NamedBehaviour("refuses-later-ranges", "O-20", "416 to every range that does not start the file") { _ in
      .correct.status(416, on: .laterRanges)
    },
    NamedBehaviour("416-near-end-twice", "O-20", "416 to the first two requests for the last percent") { entity in
      .correct.status(416, on: Occasion { $0.number <= 6 }.and(.beginning(from: entity.size / 100 * 99)))
    },
    NamedBehaviour("416-with-smaller-total", "O-21", "416 to later ranges, with half of the size") { entity in
      .correct.status(416, on: .laterRanges)
        .header("Content-Range", "bytes */\(entity.size / 2)", on: .laterRanges)
    }.ending(with: .either),
    NamedBehaviour("416-with-larger-total", "O-21", "416 to later ranges, with twice the size") { entity in
      .correct.status(416, on: .laterRanges)
        .header("Content-Range", "bytes */\(entity.size * 2)", on: .laterRanges)
    }.ending(with: .either),
    NamedBehaviour("416-without-total", "O-21", "416 to later ranges, without Content-Range") { _ in
      .correct.status(416, on: .laterRanges).header("Content-Range", nil, on: .laterRanges)
    },
    NamedBehaviour("empty-206-at-end", "O-22", "206 without a byte for a range that begins at the end") { entity in
      .correct.amending(on: .beginning(at: entity.size)) { exchange, answer in
        answer = OriginAnswer(status: 206, headers: answer.headers)
        answer.headers["Content-Range"] =
          "bytes \(exchange.entity.size)-\(exchange.entity.size)/\(exchange.entity.size)"
      }
    },
    NamedBehaviour("empty-206", "O-22", "206 for the right range without a byte, for later ranges") { _ in
      .correct.amending(on: .laterRanges) { _, answer in answer.body = OriginBody() }
    },
  ]

  /// O-16: Content-Range values that no grammar allows or that contradict themselves, for all but the first request.
  static let contentRanges = malformedContentRanges.enumerated().map { place, value in
    NamedBehaviour(
      "content-range-\(place < 9 ? "0" : "")\(place + 1)", "O-16", "later ranges say `Content-Range: \(value)`"
    ) { entity in
      .correct.contentRange(
        value.replacing("SIZE", with: "\(entity.size)").replacing("END", with: "\(entity.size - 1)"), on: .after(1))
    }
  }

  private static let malformedContentRanges = [
    "bytes=0-END/SIZE", "0-END/SIZE", "bytes", "bytes ", "bytes 0-END", "bytes 0-END/", "bytes -END/SIZE",
    "bytes 0-/SIZE", "bytes */SIZE", "bytes 100-50/SIZE", "bytes 0-SIZE/SIZE", "bytes +0-END/SIZE",
    "bytes 0 - END / SIZE", "items 0-END/SIZE", "bytes 0x0-END/SIZE", "bytes 0-END/-1",
    "bytes 18446744073709551616-18446744073709551617/18446744073709551618",
    "bytes 9223372036854775807-9223372036854775808/9223372036854775809", "bytes 0-END/SIZE, bytes 0-9/SIZE",
    "bytes 0-0,5-9/SIZE",
  ]

  /// O-23 to O-25: sizes at which arithmetic goes wrong.
  static let sizes = [
    sized("empty-file", "O-23", 0, "a file without a byte"),
    sized("one-byte", "O-23", 1, "a file of one byte"),
    sized("five-tebibytes", "O-24", 5 << 40, "5 TiB, made as they are asked for").ending(with: .either)
      .with { $0.takesLong = true },
    sized("four-gibibytes-less-one", "O-25", (4 << 30) - 1, "4 GiB less a byte").with { $0.takesLong = true },
    sized("four-gibibytes", "O-25", 4 << 30, "4 GiB").with { $0.takesLong = true },
    sized("four-gibibytes-and-one", "O-25", (4 << 30) + 1, "4 GiB and a byte").with { $0.takesLong = true },
  ]

  private static func sized(_ name: String, _ hazard: String, _ size: Int64, _ summary: String) -> NamedBehaviour {
    NamedBehaviour(name, hazard, summary) { _ in .correct }.with { $0.size = size }
  }
}
