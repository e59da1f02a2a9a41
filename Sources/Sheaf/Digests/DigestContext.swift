import CCrypto
import SheafCore

/// A digest being computed: libcrypto's for the cryptographic ones, libdeflate's for CRC-32.
final class DigestContext {
  private let algorithm: DigestAlgorithm
  private let context: OpaquePointer?
  private var checksum: UInt32 = 0

  init(_ algorithm: DigestAlgorithm) {
    self.algorithm = algorithm
    let method: OpaquePointer? =
      switch algorithm {
      case .sha256: EVP_sha256()
      case .sha512: EVP_sha512()
      case .sha1: EVP_sha1()
      case .md5: EVP_md5()
      case .crc32, .crc32c: nil
      }
    guard let method else {
      context = nil
      return
    }
    context = EVP_MD_CTX_new()
    precondition(EVP_DigestInit_ex(context, method, nil) == 1, "libcrypto has no \(algorithm.rawValue)")
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    guard let context else {
      checksum = algorithm == .crc32 ? crc32(checksum, bytes) : crc32c(checksum, bytes)
      return
    }
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// The digest of everything so far; once.
  func finish() -> [UInt8] {
    guard let context else { return bigEndian(checksum) }
    var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    EVP_DigestFinal_ex(context, &bytes, &count)
    return Array(bytes.prefix(Int(count)))
  }
}

/// A CRC-32 as people write it.
func bigEndian(_ checksum: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) }
}
