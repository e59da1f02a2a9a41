/// The resume record of one download: whose bytes the part file holds, and which blocks of them are there.
package struct Manifest: Hashable, Sendable {
  /// The file's length in bytes.
  package var total: Int64
  /// Bytes in each block but the last; a power of two.
  package var blockSize: Int64
  package var validator: Validator
  /// SHA-256 of the URL as it was given; 32 bytes.
  package var sourceHash: [UInt8]
  /// Scheme, host and path of the URL, for people. Never userinfo, query or fragment.
  package var source: String
  /// The blocks whose bytes are in the part file.
  package var blocks: Bitmap
  /// CRC-32 of each block's bytes; it has a meaning only where `blocks` has a bit.
  package var checksums: [UInt32]

  package init(
    total: Int64, blockSize: Int64, validator: Validator, sourceHash: [UInt8], source: String, blocks: Bitmap,
    checksums: [UInt32]
  ) {
    self.total = total
    self.blockSize = blockSize
    self.validator = validator
    self.sourceHash = sourceHash
    self.source = source
    self.blocks = blocks
    self.checksums = checksums
  }

  package var identity: Identity { Identity(total: total, validator: validator) }

  /// How many blocks a file has; the last may be shorter than the others.
  ///
  /// - Precondition: `total` is not negative, `blockSize` is positive.
  package static func blockCount(total: Int64, blockSize: Int64) -> Int64 {
    total / blockSize + (total % blockSize == 0 ? 0 : 1)
  }
}

/// A manifest as it was found on disk.
package struct DecodedManifest: Hashable, Sendable {
  package var manifest: Manifest
  /// The generation of the slot that was used; the next checkpoint writes the one after it.
  package var generation: UInt64

  package init(manifest: Manifest, generation: UInt64) {
    self.manifest = manifest
    self.generation = generation
  }
}

/// A piece of a manifest to be written at an offset of its file.
package struct ManifestWrite: Hashable, Sendable {
  package var offset: Int64
  package var bytes: [UInt8]

  package init(offset: Int64, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }
}
