// Where servers say what the digest of a file is. Only digests of the whole representation are of use: one of the
// message alone, of an upload's parts or of a redirect's body would condemn good bytes. ETags are never taken for
// digests, whatever they look like.

/// The digests of the whole file that an answer with this head offers.
package func digestClaims(in head: ResponseHead) -> [DigestClaim] {
  var claims: [DigestClaim] = []
  switch head.status {
  case 200, 206:
    claims += structured("Repr-Digest", in: head)
    claims += instanceDigests(in: head)
    claims += googleHashes(in: head)
    claims += azureHash(in: head)
    if coversEverything(head) {
      claims += structured("Content-Digest", in: head)
      claims += contentMD5(in: head)
      claims += amazonChecksums(in: head)
    }
  case 301, 302, 303, 307, 308:
    // RFC 6249 section 6: what a Metalink server says of the file also stands in the redirect to a mirror.
    if !MirrorFields(head).isEmpty { claims += instanceDigests(in: head) }
  default:
    return []
  }
  return claims + linkedTag(in: head)
}

/// Whether the message has all bytes of the representation: a 200, or a 206 for everything.
private func coversEverything(_ head: ResponseHead) -> Bool {
  guard head.status == 206 else { return head.status == 200 }
  guard let answer = head.value("Content-Range").flatMap({ ContentRange(parsing: $0) }), let range = answer.range else {
    return false
  }
  return range.lower == 0 && range.upper == answer.total
}

/// RFC 9530: Repr-Digest (section 3) is of the representation, also in a 206; Content-Digest (section 2) of the message.
///
/// CRC-32C stands in the registry without a word on the order of its bytes, so it is left alone.
private func structured(_ field: String, in head: ResponseHead) -> [DigestClaim] {
  let lines = head.values(field)
  guard !lines.isEmpty, let dictionary = StructuredDictionary(parsing: lines) else { return [] }
  return dictionary.members.compactMap { member in
    let algorithm: DigestAlgorithm? =
      switch member.key {
      case "sha-512": .sha512
      case "sha-256": .sha256
      case "sha": .sha1
      case "md5": .md5
      default: nil
      }
    guard let algorithm, let bytes = member.bytes, let digest = Digest(algorithm, bytes) else { return nil }
    return DigestClaim(digest, source: field)
  }
}

/// RFC 3230 section 4.3.2: digests of the instance, which a range does not change. The encoding is that of
/// RFC 5843 and its registry: base64 for all but the checksums, whose forms differ from server to server.
private func instanceDigests(in head: ResponseHead) -> [DigestClaim] {
  assignments(in: head.values("Digest")).compactMap { name, value in
    let algorithm: DigestAlgorithm? =
      switch name.lowercased() {
      case "sha-512": .sha512
      case "sha-256": .sha256
      case "sha": .sha1
      case "md5": .md5
      default: nil
      }
    return algorithm.flatMap { Digest($0, base64: value) }.map { DigestClaim($0, source: "Digest") }
  }
}

/// RFC 1864, as HTTP/1.1 once had it (RFC 2616 section 14.15): the MD5 of the message's body.
private func contentMD5(in head: ResponseHead) -> [DigestClaim] {
  head.value("Content-MD5").flatMap { Digest(.md5, base64: $0) }.map { [DigestClaim($0, source: "Content-MD5")] } ?? []
}

/// Google Cloud Storage's hashes of the stored object. Where the server has unpacked it on the way, they are of other
/// bytes than those that come.
private func googleHashes(in head: ResponseHead) -> [DigestClaim] {
  guard head.values("x-goog-stored-content-encoding").allSatisfy({ equalIgnoringCase($0, "identity") }) else {
    return []
  }
  return assignments(in: head.values("x-goog-hash")).compactMap { name, value in
    let algorithm: DigestAlgorithm? =
      switch name.lowercased() {
      case "md5": .md5
      case "crc32c": .crc32c
      default: nil
      }
    return algorithm.flatMap { Digest($0, base64: value) }.map { DigestClaim($0, source: "x-goog-hash") }
  }
}

/// Azure's MD5 of the whole blob, which it sends beside a range.
private func azureHash(in head: ResponseHead) -> [DigestClaim] {
  head.value("x-ms-blob-content-md5").flatMap { Digest(.md5, base64: $0) }
    .map { [DigestClaim($0, source: "x-ms-blob-content-md5")] } ?? []
}

/// Amazon S3's checksums, which are of the whole object only if it was not put together from checksums of its parts.
/// Beside a range they may be of the part that it lies in.
private func amazonChecksums(in head: ResponseHead) -> [DigestClaim] {
  guard head.values("x-amz-checksum-type").allSatisfy({ equalIgnoringCase($0, "FULL_OBJECT") }) else { return [] }
  let fields: [(String, DigestAlgorithm)] = [
    ("x-amz-checksum-sha256", .sha256), ("x-amz-checksum-sha1", .sha1), ("x-amz-checksum-crc32c", .crc32c),
    ("x-amz-checksum-crc32", .crc32),
  ]
  return fields.compactMap { field, algorithm in
    // A checksum of checksums ends with a dash and the number of parts, which is no base64.
    head.value(field).flatMap { Digest(algorithm, base64: $0) }.map { DigestClaim($0, source: field) }
  }
}

/// Hugging Face's name for a large file: its SHA-256. Small files have a Git object's name there, which is shorter. It
/// comes with the redirect to the storage.
private func linkedTag(in head: ResponseHead) -> [DigestClaim] {
  guard let text = head.value("X-Linked-ETag"), let tag = EntityTag(parsing: text), !tag.isWeak else { return [] }
  return Digest(.sha256, hexadecimal: tag.fieldValue.dropFirst().dropLast())
    .map { [DigestClaim($0, source: "X-Linked-ETag")] } ?? []
}

/// The `name=value` members of a list, as far as they are such and no more than anybody needs.
private func assignments(in lines: [String]) -> [(name: Substring, value: Substring)] {
  guard lines.reduce(0, { $0 + $1.utf8.count }) <= StructuredDictionary.longest else { return [] }
  return lines.flatMap(listMembers).compactMap { member -> (name: Substring, value: Substring)? in
    guard let separator = member.firstIndex(of: "=") else { return nil }
    return (member[..<separator], member[member.index(after: separator)...])
  }
}
