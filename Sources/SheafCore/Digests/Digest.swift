/// What an algorithm makes of a file's bytes: equal digests mean, as far as the algorithm is good for it, equal bytes.
package struct Digest: Hashable, Sendable {
  package let algorithm: DigestAlgorithm
  /// As many as the algorithm's `byteCount`; a CRC with its most significant byte first.
  package let bytes: [UInt8]

  /// Nil when the number of bytes is not the algorithm's.
  package init?(_ algorithm: DigestAlgorithm, _ bytes: [UInt8]) {
    guard bytes.count == algorithm.byteCount else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  package init?(_ algorithm: DigestAlgorithm, hexadecimal text: some StringProtocol) {
    guard text.utf8.count == algorithm.byteCount * 2, let bytes = SheafCore.bytes(ofHexadecimal: text) else {
      return nil
    }
    self.init(algorithm, bytes)
  }

  package init?(_ algorithm: DigestAlgorithm, base64 text: some StringProtocol) {
    guard text.utf8.count <= 128, let bytes = SheafCore.bytes(ofBase64: text) else { return nil }
    self.init(algorithm, bytes)
  }
}

extension Digest: CustomStringConvertible {
  /// `sha-256=` and the bytes in lower-case hexadecimal.
  package var description: String { "\(algorithm.rawValue)=\(hexadecimal(bytes))" }
}
