/// What a checksum file's name says about the algorithm of the digests in it.
///
/// The length alone cannot tell SHA-256 from BLAKE2s or SHA-3; a name that speaks of one of those is believed.
struct AlgorithmHint {
  private enum Meaning {
    case nothing
    case known(DigestAlgorithm)
    case foreign
  }

  private let meaning: Meaning

  init(fileNamed name: String) {
    let name = name.lowercased()
    let foreign = ["sha3", "blake", "b2sum", "b3sum", ".b2", ".b3", "sha224", "sha384", "xxh", "md4", "rmd160", "sm3"]
    let known: [(String, DigestAlgorithm)] = [
      ("sha512", .sha512), ("sha256", .sha256), ("sha1", .sha1), ("md5", .md5), ("crc32c", .crc32c), ("crc32", .crc32),
    ]
    // The last component's last word: `sha3-tools.iso.sha256` lists SHA-256.
    let component = name.split(separator: "/").last ?? ""
    let ending = component.split(separator: ".").last ?? component
    if let found = Self.first(of: known, in: ending) {
      meaning = .known(found)
    } else if foreign.contains(where: { ending.contains($0.filter { $0 != "." }) }) {
      meaning = .foreign
    } else {
      meaning = Self.first(of: known, in: component).map { .known($0) } ?? .nothing
    }
  }

  private static func first(of known: [(String, DigestAlgorithm)], in text: Substring) -> DigestAlgorithm? {
    let text = text.filter { $0 != "-" && $0 != "_" }
    return known.first { text.contains($0.0) }?.1
  }

  /// The algorithm of a digest that is written without it; nil if there is none, or none that could be meant.
  func algorithm(digits: Int) -> DigestAlgorithm? {
    guard digits.isMultiple(of: 2), let found = DigestAlgorithm(byteCount: digits / 2) else { return nil }
    return switch meaning {
    case .foreign: nil
    // A file called SHA256SUMS with digests of other lengths is not what it says.
    case .known(let algorithm): algorithm.byteCount == digits / 2 ? algorithm : nil
    case .nothing: found
    }
  }
}
