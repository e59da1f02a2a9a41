/// What the origin says of the identity of its bytes.
extension Behaviour {
  /// The ETag as given, quotes and all; nil sends none.
  package func etag(_ etag: String?, on occasion: Occasion = .always) -> Behaviour {
    presenting(on: occasion) { $1.etag = etag }
  }

  /// Marks the ETag as weak.
  package func weakETag(on occasion: Occasion = .always) -> Behaviour {
    presenting(on: occasion) { $1.etag = $1.etag.map { "W/\($0)" } }
  }

  /// Seconds since 1970; nil sends none. The ETag stays.
  package func lastModified(_ seconds: Int64?, on occasion: Occasion = .always) -> Behaviour {
    presenting(on: occasion) { $1.lastModified = seconds }
  }

  /// Last-Modified in place of the ETag, and a Date that many seconds later: below one the date is a weak validator
  /// (RFC 9110 §8.8.2.2). Nil sends no Date.
  package func lastModifiedOnly(_ seconds: Int64 = 1_700_000_000, dateAfter gap: Int64? = 86_400) -> Behaviour {
    presenting { _, representation in
      representation.etag = nil
      representation.lastModified = seconds
      representation.date = gap.map { .at(seconds + $0) } ?? .absent
    }
  }

  /// Neither ETag nor Last-Modified.
  package func noValidator() -> Behaviour {
    presenting { _, representation in
      representation.etag = nil
      representation.lastModified = nil
    }
  }

  /// The ETag that goes with changed bytes.
  package enum ChangedETag: Sendable {
    case ofTheNewEntity
    case unchanged
    case value(String)
  }

  /// Other bytes from some request on.
  package func changing(
    to entity: Entity, on occasion: Occasion, etag: ChangedETag = .ofTheNewEntity
  ) -> Behaviour {
    presenting(on: occasion) { _, representation in
      representation.entity = entity
      guard representation.etag != nil else { return }
      switch etag {
      case .ofTheNewEntity: representation.etag = Representation.etag(of: entity)
      case .unchanged: break
      case .value(let value): representation.etag = value
      }
    }
  }
}
