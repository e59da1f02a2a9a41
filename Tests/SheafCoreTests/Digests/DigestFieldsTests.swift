import SheafCore
import Testing

@Suite("Digest fields")
struct DigestFieldsTests {
  static let sha256 = "RK/3ni1HBcYqqbrBHzoGbAIZTPGU3tWY3yc3Vn9kXqY="
  static let md5 = "CY9rzUYh03PK3k6DJie09g=="
  static let crc32c = "n03x6A=="
  static let hex = "44aff79e2d4705c62aa9bac11f3a066c02194cf194ded598df2737567f645ea6"

  /// What is offered, in short: `sha-256 Repr-Digest`.
  private func offers(_ head: ResponseHead) -> [String] {
    digestClaims(in: head).map { "\($0.digest.algorithm.rawValue) \($0.source ?? "")" }
  }

  @Test(
    "takes what is of the whole file from a part of it, and nothing else",
    arguments: [
      ("Repr-Digest: sha-256=:\(sha256):", ["sha-256 Repr-Digest"]), ("Repr-Digest: md5=:\(md5):", ["md5 Repr-Digest"]),
      ("repr-digest: sha-256=:\(sha256):, md5=:\(md5):", ["sha-256 Repr-Digest", "md5 Repr-Digest"]),
      ("Repr-Digest: sha-256=\(sha256)", []), ("Repr-Digest: sha-512=:\(sha256):", []),
      ("Repr-Digest: crc32c=:\(crc32c):", []), ("Repr-Digest: SHA-256=:\(sha256):", []),
      ("Digest: SHA-256=\(sha256)", ["sha-256 Digest"]),
      ("Digest: sha-256=\(sha256), MD5=\(md5)", ["sha-256 Digest", "md5 Digest"]),
      ("Digest: UNIXsum=30637", []), ("Digest: SHA-256=\(hex)", []), ("Digest: md5=\(sha256)", []),
      ("x-goog-hash: crc32c=\(crc32c)", ["crc32c x-goog-hash"]),
      ("x-goog-hash: crc32c=\(crc32c),md5=\(md5)", ["crc32c x-goog-hash", "md5 x-goog-hash"]),
      ("x-ms-blob-content-md5: \(md5)", ["md5 x-ms-blob-content-md5"]),
      ("Content-Digest: sha-256=:\(sha256):", []), ("Content-MD5: \(md5)", []),
      ("x-amz-checksum-sha256: \(sha256)", []), ("X-Linked-ETag: \"\(hex)\"", ["sha-256 X-Linked-ETag"]),
      ("ETag: \"\(hex)\"", []), ("ETag: \"098f6bcd4621d373cade4e832627b4f6\"", []),
    ] as [(String, [String])])
  func ofAPart(line: String, expected: [String]) {
    #expect(offers(head(206, "Content-Range: bytes 0-99/1000", line)) == expected)
  }

  @Test(
    "takes the message's digest where the message is the whole file",
    arguments: [
      ("Content-Digest: sha-256=:\(sha256):", ["sha-256 Content-Digest"]), ("Content-MD5: \(md5)", ["md5 Content-MD5"]),
      ("x-amz-checksum-sha256: \(sha256)", ["sha-256 x-amz-checksum-sha256"]),
      ("x-amz-checksum-sha256: \(sha256)-12", []), ("x-amz-checksum-crc32: n03x6A==", ["crc32 x-amz-checksum-crc32"]),
      ("x-amz-checksum-crc32c: n03x6A==", ["crc32c x-amz-checksum-crc32c"]), ("x-amz-checksum-crc32: n03x6A==-2", []),
      ("Content-MD5: \(sha256)", []), ("Content-MD5: ", []), ("X-Linked-ETag: W/\"\(hex)\"", []),
      ("X-Linked-ETag: \"\(hex)00\"", []), ("X-Linked-ETag: \(hex)", []),
      ("X-Linked-ETag: \"a9993e364706816aba3e25717850c26c9cd0d89d\"", []),
    ] as [(String, [String])])
  func ofTheWhole(line: String, expected: [String]) {
    #expect(offers(head(200, line)) == expected)
    #expect(offers(head(206, "Content-Range: bytes 0-999/1000", line)) == expected)
  }

  @Test("a composite checksum is not the file's")
  func composite() {
    #expect(offers(head(200, "x-amz-checksum-crc32: n03x6A==", "x-amz-checksum-type: COMPOSITE")) == [])
    #expect(
      offers(head(200, "x-amz-checksum-crc32: n03x6A==", "x-amz-checksum-type: FULL_OBJECT")) == [
        "crc32 x-amz-checksum-crc32"
      ])
  }

  @Test("the hash of an object that was unpacked on the way is of other bytes")
  func unpacked() {
    let hash = "x-goog-hash: md5=\(Self.md5)"
    #expect(offers(head(200, hash, "x-goog-stored-content-encoding: gzip")) == [])
    #expect(offers(head(200, hash, "x-goog-stored-content-encoding: identity")) == ["md5 x-goog-hash"])
  }

  @Test("of a redirect only what speaks of the file counts")
  func redirects() {
    #expect(offers(head(302, "X-Linked-ETag: \"\(Self.hex)\"")) == ["sha-256 X-Linked-ETag"])
    #expect(offers(head(302, "Repr-Digest: sha-256=:\(Self.sha256):", "Content-MD5: \(Self.md5)")) == [])
    #expect(offers(head(302, "Digest: SHA-256=\(Self.sha256)")) == [])
    #expect(
      offers(head(302, "Digest: SHA-256=\(Self.sha256)", "Link: <http://m/f>; rel=duplicate")) == ["sha-256 Digest"])
  }

  @Test("errors offer nothing", arguments: [304, 404, 416, 500])
  func errors(status: Int) {
    #expect(offers(head(status, "Repr-Digest: sha-256=:\(Self.sha256):", "X-Linked-ETag: \"\(Self.hex)\"")) == [])
  }

  @Test("a field that comes twice where one is meant is no field; endless ones are not read")
  func bounds() {
    #expect(offers(head(200, "Content-MD5: \(Self.md5)", "Content-MD5: \(Self.md5)")) == [])
    #expect(offers(head(200, "Digest: " + String(repeating: "md5=\(Self.md5),", count: 500))) == [])
  }
}
