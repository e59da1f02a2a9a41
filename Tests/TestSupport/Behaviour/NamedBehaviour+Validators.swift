/// O-01 to O-04: what the origin says of the identity of its bytes.
extension NamedBehaviour {
  static let validators = [
    NamedBehaviour("correct", "O-01", "ranges, conditions and a strong ETag") { _ in .correct },
    dated("last-modified-only", "no ETag; Last-Modified a day before Date", gap: 86_400),
    dated("last-modified-one-second-old", "no ETag; Last-Modified a second before Date", gap: 1),
    dated("last-modified-equals-date", "no ETag; Last-Modified too young to be strong", gap: 0),
    dated("last-modified-without-date", "no ETag, no Date; Last-Modified alone", gap: nil),
    NamedBehaviour("weak-etag", "O-03", "a weak ETag and nothing else") { _ in .correct.weakETag() }
      .with { $0.before = { ($0, .correct.weakETag()) } },
    NamedBehaviour("no-validator", "O-04", "neither ETag nor Last-Modified") { _ in .correct.noValidator() }
      .with { $0.before = { ($0, .correct.noValidator()) } },
  ]

  private static func dated(_ name: String, _ summary: String, gap: Int64?) -> NamedBehaviour {
    NamedBehaviour(name, "O-02", summary) { _ in .correct.lastModifiedOnly(dateAfter: gap) }
      .with { $0.before = { ($0, .correct.lastModifiedOnly(dateAfter: gap)) } }
  }
}
