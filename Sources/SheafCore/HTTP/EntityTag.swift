/// One entity tag by the grammar of RFC 9110 §8.8.3; the quotes are part of it.
package struct EntityTag: Hashable, Sendable {
  package let isWeak: Bool
  /// As sent and as sent back, with the quotes and, if weak, the `W/`.
  package let fieldValue: String

  package init?(parsing text: String) {
    var scalars = Substring(text).unicodeScalars
    isWeak = text.utf8.starts(with: "W/".utf8)
    if isWeak { scalars.removeFirst(2) }
    guard scalars.popFirst() == "\"", scalars.popLast() == "\"" else { return nil }
    // etagc: visible ASCII but the quote, and obs-text.
    let isTag = scalars.allSatisfy { $0.value == 0x21 || (0x23...0x7E).contains($0.value) || $0.value >= 0x80 }
    guard isTag else { return nil }
    fieldValue = text
  }
}
