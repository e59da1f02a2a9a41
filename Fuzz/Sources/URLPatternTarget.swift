import SheafCore

/// F17. A URL pattern: refused, or as many URLs as it says, each made of the pattern's own characters and digits.
func fuzzURLPattern(_ input: Input) {
  let text = input.text
  do throws(Failure) {
    let pattern = try URLPattern(text)
    require((1...URLPattern.mostURLs).contains(pattern.count), "\(pattern.count) URLs")
    let (first, last) = (pattern[0], pattern[pattern.count - 1])
    require(first.values.count == last.values.count, "parts that come and go")
    require(pattern.count == 1 || !first.values.isEmpty, "many URLs without a part")
    // A range's numbers may be longer than what is written of its first one, but not than its last.
    for (url, _) in [first, last, pattern[pattern.count / 2]] {
      require(url.utf8.count <= text.utf8.count, "'\(url)' grew")
    }
    _ = URLPattern.substituted(first.values, in: text)
  } catch {
    require(!error.message.unicodeScalars.contains(where: isUnprintable), "an unprintable message")
  }
}
