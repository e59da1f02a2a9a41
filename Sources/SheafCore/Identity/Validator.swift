/// What an answer offers to tell one version of the file from another (RFC 9110 §8.8).
package enum Validator: Hashable, Sendable {
  /// A strong ETag, as its field value.
  case strongTag(String)
  /// A Last-Modified that RFC 9110 §8.8.2.2 lets us take as strong, as its field value.
  case strongDate(String)
  /// A weak ETag, a Last-Modified, or both: enough to see many changes, too little to rule one out.
  case weak(tag: String?, date: String?)
  case none

  package enum Strength: String, Hashable, Sendable {
    case strong
    case weak
    case none
  }

  package var strength: Strength {
    switch self {
    case .strongTag, .strongDate: .strong
    case .weak: .weak
    case .none: .none
    }
  }

  /// What to send as If-Range; only strong validators may go there (RFC 9110 §13.1.5).
  ///
  /// Nil as well for a tag with other characters than ASCII: which bytes the server used for them is not known any
  /// more, and a tag that never matches would turn every answer into a 200.
  package var ifRange: String? {
    switch self {
    case .strongTag(let tag): tag.utf8.allSatisfy { $0 < 0x80 } ? tag : nil
    case .strongDate(let date): date
    case .weak, .none: nil
    }
  }

  package init(head: ResponseHead) {
    // A Last-Modified that is no text is no validator.
    let date = head.value("Last-Modified").flatMap {
      $0.isEmpty || $0.unicodeScalars.contains(where: isUnprintable) ? nil : $0
    }
    let tags = head.values("ETag")

    if tags.count == 1, let tag = EntityTag(parsing: tags[0]) {
      self = tag.isWeak ? .weak(tag: tag.fieldValue, date: date) : .strongTag(tag.fieldValue)
    } else if let date {
      // A server with a broken ETag cannot be believed about the clock either.
      self = tags.isEmpty && Self.isStrong(date, in: head) ? .strongDate(date) : .weak(tag: nil, date: date)
    } else {
      self = .none
    }
  }

  /// RFC 9110 §8.8.2.2: the answer was made at least a second after the last change, by the same clock, so that no
  /// second change can hide behind the same date.
  private static func isStrong(_ lastModified: String, in head: ResponseHead) -> Bool {
    guard let date = head.value("Date").flatMap({ HTTPDate.secondsSinceEpoch(parsing: $0) }),
      let modified = HTTPDate.secondsSinceEpoch(parsing: lastModified)
    else { return false }
    return modified < date
  }
}
