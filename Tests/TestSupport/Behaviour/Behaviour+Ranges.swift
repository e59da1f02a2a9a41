/// Wrong answers to right range requests.
extension Behaviour {
  /// 200 with the whole entity whatever is asked, as if there were no ranges; it may still claim to have them.
  package func ignoringRanges(claimingThem: Bool = false, on occasion: Occasion = .always) -> Behaviour {
    reading(on: occasion) { $1.headers["Range"] = nil }
      .presenting(on: occasion) { $1.acceptRanges = claimingThem ? "bytes" : nil }
  }

  /// 206 for the whole entity, correctly labelled, in place of the range.
  package func answeringWholeFile(on occasion: Occasion = .always) -> Behaviour {
    reading(on: occasion) { _, request in
      if request.headers["Range"] != nil { request.headers["Range"] = "bytes=0-" }
    }
  }

  /// 206 that does not say which range it holds.
  package func omittingContentRange(on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { $1.contentRange = nil }
  }

  /// A Content-Range with this text.
  package func contentRange(_ text: String, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { _, answer in
      if answer.contentRange != nil { answer.headers["Content-Range"] = text }
    }
  }

  /// A correctly labelled range of at most that many bytes.
  package func shorteningRanges(to count: Int64, on occasion: Occasion = .always) -> Behaviour {
    amendingRange(on: occasion) { range, _ in range.lowerBound..<min(range.upperBound, range.lowerBound + count) }
  }

  /// A correctly labelled range that begins that many bytes later, or with a negative count earlier; its end stays.
  package func shiftingStart(by count: Int64, on occasion: Occasion = .always) -> Behaviour {
    amendingRange(on: occasion) { range, _ in
      min(max(range.lowerBound + count, 0), range.upperBound - 1)..<range.upperBound
    }
  }

  /// A correctly labelled range that goes on to the end of the entity.
  package func lengtheningRangesToEnd(on occasion: Occasion = .always) -> Behaviour {
    amendingRange(on: occasion) { range, size in range.lowerBound..<size }
  }

  /// The label that was asked for, over the entity's first bytes: a lie that only a digest can tell.
  package func lyingAboutStart(on occasion: Occasion = .laterRanges) -> Behaviour {
    amending(on: occasion) { _, answer in
      guard let range = answer.contentRange?.range, case .entity(let entity, _)? = answer.body.pieces.first else {
        return
      }
      answer.body = OriginBody(entity, 0..<(range.upperBound - range.lowerBound))
    }
  }

  /// Another total in Content-Range; nil writes `*`.
  package func total(_ total: Int64?, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { $1.contentRange?.total = total }
  }

  private func amendingRange(
    on occasion: Occasion, _ change: @escaping @Sendable (Range<Int64>, _ size: Int64) -> Range<Int64>
  ) -> Behaviour {
    amending(on: occasion) { _, answer in
      guard let range = answer.contentRange?.range, case .entity(let entity, _)? = answer.body.pieces.first else {
        return
      }
      answer.move(to: change(range, entity.size), of: entity)
    }
  }
}
