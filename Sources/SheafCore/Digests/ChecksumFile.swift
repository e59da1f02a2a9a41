/// A file that lists digests, in the forms that people and tools write: GNU's `sha256sum`, BSD's and OpenSSL's with the
/// algorithm named, and a digest alone.
///
/// It is as good as the way it came: where it is signed, nothing is checked here.
package struct ChecksumFile: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// As it stands in the file, escapes undone; nil for a digest alone on its line.
    package var name: String?
    package var digest: Digest
  }

  package private(set) var entries: [Entry] = []
  /// It is wrapped in an OpenPGP signature (RFC 9580 section 7), which somebody else has to check.
  package private(set) var isSigned = false

  /// A larger one is not read.
  package static let largest = 4 << 20
  /// Longer lines are no lines of such a file.
  static let longestLine = 16 << 10

  /// - Parameter name: the file's own name, which may tell the algorithm, as `SHA512SUMS` and `big.iso.sha256` do.
  package init(parsing bytes: [UInt8], named name: String) {
    guard bytes.count <= Self.largest else { return }
    let hint = AlgorithmHint(fileNamed: name)
    var armour = ClearSignature()
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") }) where line.count <= Self.longestLine {
      let text = trimmed(String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self))
      guard let content = armour.content(of: text) else { continue }
      if let entry = Self.entry(content, hint) { entries.append(entry) }
    }
    isSigned = armour.isSigned
  }

  /// The digest for the file that goes by any of these names, or why there is none that could be trusted to be meant.
  ///
  /// A name matches if all of its path does, or else its last component. Of several algorithms the strongest counts.
  package func digest(for names: [String]) throws(ChecksumFileProblem) -> Digest {
    guard !entries.isEmpty else { throw .noDigests }
    var candidates = entries.filter { entry in entry.name.map { names.contains(Self.withoutDot($0)) } ?? false }
    if candidates.isEmpty {
      candidates = entries.filter { entry in
        entry.name.map { name in names.contains { Self.lastComponent($0) == Self.lastComponent(name) } } ?? false
      }
    }
    if candidates.isEmpty {
      // Digests without names belong to the file beside them. Two of one algorithm would be of two files.
      guard entries.allSatisfy({ $0.name == nil }) else { throw .nameMissing }
      candidates = entries
    }
    guard let algorithm = candidates.map(\.digest.algorithm).max() else { throw .noDigests }
    let digests = Set(candidates.map(\.digest).filter { $0.algorithm == algorithm })
    guard digests.count == 1, let digest = digests.first else { throw .ambiguous }
    return digest
  }

  /// What checksum files beside a file of this name are called, the strongest digests first.
  package static func namesBeside(_ name: String) -> [String] {
    let algorithms = ["512", "256", "1"]
    return algorithms.map { "\(name).sha\($0)" } + algorithms.map { "\(name).sha\($0)sum" }
      + algorithms.flatMap { ["SHA\($0)SUMS", "SHA\($0)SUMS.txt", "sha\($0)sum.txt", "sha\($0)sums.txt"] }
      + ["\(name).md5", "\(name).md5sum", "MD5SUMS", "md5sum.txt"]
  }

  private static func withoutDot(_ name: String) -> String { name.hasPrefix("./") ? String(name.dropFirst(2)) : name }

  private static func lastComponent(_ name: String) -> Substring {
    name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
  }

  // MARK: - Lines

  private static func entry(_ line: String, _ hint: AlgorithmHint) -> Entry? {
    // GNU puts a backslash first where the name has escapes in it.
    let isEscaped = line.utf8.first == UInt8(ascii: "\\")
    let content = isEscaped ? line.dropFirst() : line[...]
    guard var entry = tagged(content) ?? listed(content, hint) else { return nil }
    if isEscaped {
      guard let name = entry.name.flatMap(unescaped) else { return nil }
      entry.name = name
    }
    return entry
  }

  /// `SHA256 (name) = hex`, and OpenSSL's `SHA2-256(name)= hex`.
  private static func tagged(_ line: Substring) -> Entry? {
    guard let opening = line.firstIndex(of: "("), let closing = line.lastIndex(of: ")"), opening < closing,
      let algorithm = DigestAlgorithm(named: trimmed(line[..<opening]))
    else { return nil }
    let rest = trimmed(line[line.index(after: closing)...])
    guard rest.utf8.first == UInt8(ascii: "="),
      let digest = Digest(algorithm, hexadecimal: trimmed(rest.dropFirst()))
    else { return nil }
    let name = line[line.index(after: opening)..<closing]
    return name.isEmpty ? nil : Entry(name: String(name), digest: digest)
  }

  /// `hex  name`, `hex *name`, or `hex`.
  private static func listed(_ line: Substring, _ hint: AlgorithmHint) -> Entry? {
    let hex = line.prefix { !$0.isASCII || !isBlank($0.asciiValue ?? 0) }
    guard let algorithm = hint.algorithm(digits: hex.utf8.count),
      let digest = Digest(algorithm, hexadecimal: hex)
    else { return nil }
    var name = line.dropFirst(hex.count)
    guard let blank = name.popFirst() else { return Entry(name: nil, digest: digest) }
    // The second character is the mode: a blank for text, a star for binary. Hand-made files have one blank, or many.
    if blank == " ", name.first == "*" {
      name.removeFirst()
    } else {
      name = name.drop { $0 == " " || $0 == "\t" }
    }
    return name.isEmpty ? Entry(name: nil, digest: digest) : Entry(name: String(name), digest: digest)
  }

  private static func unescaped(_ name: String) -> String? {
    var result: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let next = rest.popFirst() {
      guard next == UInt8(ascii: "\\") else {
        result.append(next)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "\\"): result.append(next)
      case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
      default: return nil
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// Why a checksum file does not help.
package enum ChecksumFileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case noDigests
  case nameMissing
  case ambiguous

  /// A part of a sentence that begins with the file.
  package var description: String {
    switch self {
    case .noDigests: "has no digest of a kind that is known"
    case .nameMissing: "has no digest for a file of that name"
    case .ambiguous: "has several digests for a file of that name"
    }
  }
}
