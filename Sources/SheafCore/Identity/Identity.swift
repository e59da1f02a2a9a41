/// What proves, as far as it goes, that two answers speak of the same bytes.
package struct Identity: Hashable, Sendable {
  /// The file's length in bytes; nil when no answer has told it.
  package var total: Int64?
  package var validator: Validator

  package init(total: Int64?, validator: Validator) {
    self.total = total
    self.validator = validator
  }

  /// How this identity, the newer one, differs from `other`, as a part of a sentence ("its ETag changed"); nil when
  /// both can be the same bytes.
  ///
  /// An unknown total differs from none. A strong and a weak date agree when they are the same date: which of the two
  /// it is depends on the Date of the answer, and that varies.
  package func difference(from other: Identity) -> String? {
    if let total, let before = other.total, total != before {
      return "its length changed from \(before) to \(total) bytes"
    }
    if let change = Self.change(of: "ETag", from: other.validator.tag, to: validator.tag) { return change }
    // A strong tag decides alone.
    if case .strongTag = validator { return nil }
    return Self.change(of: "Last-Modified", from: other.validator.date, to: validator.date)
  }

  private static func change(of field: String, from old: String?, to new: String?) -> String? {
    switch (old, new) {
    case (nil, nil): nil
    // As bytes: to Swift's == two tags may be equal that differ in Unicode normalization.
    case (let old?, let new?): old.utf8.elementsEqual(new.utf8) ? nil : "its \(field) changed"
    case (_?, nil): "its \(field) is gone"
    case (nil, _?): "it has \(field == "ETag" ? "an ETag" : "a \(field)") now and had none before"
    }
  }
}

extension Validator {
  fileprivate var tag: String? {
    switch self {
    case .strongTag(let tag): tag
    case .weak(let tag, _): tag
    case .strongDate, .none: nil
    }
  }

  fileprivate var date: String? {
    switch self {
    case .strongDate(let date): date
    case .weak(_, let date): date
    case .strongTag, .none: nil
    }
  }
}
