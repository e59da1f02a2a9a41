import CCrypto

extension Entity {
  package func sha256() -> [UInt8] { digest(using: EVP_sha256(), of: 0..<size) }

  package func sha256(of range: Range<Int64>) -> [UInt8] { digest(using: EVP_sha256(), of: range) }

  /// The digest under libcrypto's name for it ("sha1", "sha512", "md5"); nil when it knows none of that name.
  package func digest(_ name: String) -> [UInt8]? {
    EVP_get_digestbyname(name).map { digest(using: $0, of: 0..<size) }
  }

  private func digest(using algorithm: OpaquePointer?, of range: Range<Int64>) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    precondition(EVP_DigestInit_ex(context, algorithm, nil) == 1, "libcrypto refused a digest")
    forEachPiece(of: range) { piece, _ in
      EVP_DigestUpdate(context, piece.baseAddress, piece.count) == 1
    }
    var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    precondition(EVP_DigestFinal_ex(context, &result, &count) == 1, "libcrypto refused to finish a digest")
    return Array(result.prefix(Int(count)))
  }
}

/// The lower-case hexadecimal form of a digest.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef")
  var text = ""
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return text
}
