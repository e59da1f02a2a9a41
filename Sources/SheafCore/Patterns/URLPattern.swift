/// A URL with alternatives, `{one,two}`, and ranges, `[1-10]`, `[001-100:5]`, `[a-z:2]`, in it, which stands for many URLs.
///
/// None of them is made before it is asked for. A backslash takes the meaning from the character after it. Brackets around
/// an IPv6 address are no range.
package struct URLPattern: Equatable, Sendable {
  private enum Part: Equatable, Sendable {
    case literal(String)
    case alternatives([String])
    /// With leading zeros up to the width.
    case numbers(first: Int, step: Int, count: Int, width: Int)
    case letters(first: UInt8, step: Int, count: Int)
  }

  private let parts: [Part]
  /// How many URLs it stands for, at least 1.
  package let count: Int

  /// More URLs are a mistake, most likely.
  package static let mostURLs = 1_000_000

  /// - Throws: a usage failure that says what is wrong with the pattern; it repeats no more of it than the part.
  package init(_ text: String) throws(Failure) {
    var reader = Reader(text)
    parts = try reader.read()
    var count = 1
    for part in parts {
      let (product, overflow) = count.multipliedReportingOverflow(by: Self.count(of: part))
      guard !overflow, product <= Self.mostURLs else {
        throw Failure(
          .usage, "the pattern stands for more than \(Self.mostURLs) URLs", suggestion: "use several commands")
      }
      count = product
    }
    self.count = count
  }

  /// The URL at `index`, from 0; the last part changes fastest. The values are those of its parts in their order.
  package subscript(index: Int) -> (url: String, values: [String]) {
    precondition((0..<count).contains(index), "there is no URL \(index) of \(count)")
    var rest = index
    var values: [String] = []
    var url: [String] = []
    for part in parts.reversed() {
      let count = Self.count(of: part)
      let value = Self.value(of: part, at: rest % count)
      rest /= count
      url.append(value)
      if case .literal = part { continue }
      values.append(value)
    }
    return (url.reversed().joined(), values.reversed())
  }

  /// `text` with the value of the Nth part in the place of each `#N`; where there is no such part it stays.
  package static func substituted(_ values: [String], in text: String) -> String {
    guard !values.isEmpty, text.contains("#") else { return text }
    var result = ""
    var rest = text[...]
    while let mark = rest.firstIndex(of: "#") {
      result += rest[..<mark]
      let digits = rest[rest.index(after: mark)...].prefix { $0.isASCII && $0.isNumber }
      if let number = Int(digits), values.indices.contains(number - 1) {
        result += values[number - 1]
      } else {
        result += "#" + digits
      }
      rest = rest[digits.endIndex...]
    }
    return result + rest
  }

  private static func count(of part: Part) -> Int {
    switch part {
    case .literal: 1
    case .alternatives(let words): words.count
    case .numbers(_, _, let count, _), .letters(_, _, let count): count
    }
  }

  private static func value(of part: Part, at index: Int) -> String {
    switch part {
    case .literal(let text): return text
    case .alternatives(let words): return words[index]
    case .numbers(let first, let step, _, let width):
      let digits = "\(first + index * step)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    case .letters(let first, let step, _): return String(UnicodeScalar(first + UInt8(index * step)))
    }
  }

  /// Takes a pattern apart.
  private struct Reader {
    private var rest: Substring
    private var literal = ""
    private var parts: [Part] = []

    init(_ text: String) { rest = text[...] }

    mutating func read() throws(Failure) -> [Part] {
      while let character = rest.popFirst() {
        switch character {
        case "\\" where rest.first.map { "{}[],\\".contains($0) } ?? false: literal.append(rest.removeFirst())
        case "{": add(try alternatives())
        case "[": try bracket()
        case "}", "]": throw problem("'\(character)' has no beginning")
        default: literal.append(character)
        }
      }
      add(nil)
      return parts
    }

    private mutating func add(_ part: Part?) {
      if !literal.isEmpty { parts.append(.literal(literal)) }
      literal = ""
      if let part { parts.append(part) }
    }

    private mutating func alternatives() throws(Failure) -> Part {
      var words = [""]
      while let character = rest.popFirst() {
        switch character {
        case "\\" where rest.first.map { "{}[],\\".contains($0) } ?? false:
          words[words.count - 1].append(rest.removeFirst())
        case ",": words.append("")
        case "}":
          guard words != [""] else { throw problem("there is nothing between the braces") }
          return .alternatives(words)
        case "{", "[": throw problem("'\(character)' stands within braces")
        default: words[words.count - 1].append(character)
        }
      }
      throw problem("a brace has no end")
    }

    private mutating func bracket() throws(Failure) {
      guard let end = rest.firstIndex(of: "]") else { throw problem("a bracket has no end") }
      let content = rest[..<end]
      rest = rest[rest.index(after: end)...]
      if !content.contains("-"), content.contains(":") {
        literal += "[\(content)]"
        return
      }
      guard let range = Self.range(content) else {
        throw problem("[\(printable(content))] is no range", suggestion: "write one such as [1-10], [01-99:2] or [a-z]")
      }
      add(range)
    }

    private static func range(_ content: Substring) -> Part? {
      let (bounds, stride) = parts(content, at: ":")
      let (first, last) = parts(bounds, at: "-")
      guard let last, let step = stride.map(number) ?? 1, step > 0 else { return nil }
      if let low = number(first), let high = number(last), low <= high {
        let width = first.utf8.first == UInt8(ascii: "0") ? first.utf8.count : 0
        let (span, overflow) = ((high - low) / step).addingReportingOverflow(1)
        return overflow ? nil : .numbers(first: low, step: step, count: span, width: width)
      }
      guard let low = letter(first), let high = letter(last), low <= high, (low > 90) == (high > 90) else { return nil }
      return .letters(first: low, step: min(step, 26), count: Int(high - low) / min(step, 26) + 1)
    }

    private static func parts(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
      guard let place = text.firstIndex(of: mark) else { return (text, nil) }
      return (text[..<place], text[text.index(after: place)...])
    }

    private static func number(_ digits: Substring) -> Int? {
      digits.utf8.count <= 18 && digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
    }

    private static func letter(_ text: Substring) -> UInt8? {
      guard text.utf8.count == 1, let byte = text.utf8.first, (65...90).contains(byte) || (97...122).contains(byte)
      else {
        return nil
      }
      return byte
    }

    private func problem(_ text: String, suggestion: String = "put a backslash before what is no pattern") -> Failure {
      Failure(.usage, "the URL is no pattern: \(text)", suggestion: suggestion)
    }
  }
}
