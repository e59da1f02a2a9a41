import SheafCore

/// F7. A status, then the fields of an answer, a line each, read for digests and mirrors.
func fuzzDigestFields(_ input: Input) {
  var input = input
  let statuses = [200, 206, 302, 404]
  let status = statuses[Int(input.byte()) % statuses.count]
  let fields = input.lines.compactMap { line -> ResponseHead.Field? in
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
    return .init(name: String(line[..<colon]), value: String(line[line.index(after: colon)...]))
  }
  let head = ResponseHead(status: status, fields: fields)
  let claims = digestClaims(in: head)
  require(claims.isEmpty || status != 404, "an error claims digests")
  for claim in claims {
    require(claim.digest.bytes.count == claim.digest.algorithm.byteCount, "\(claim.digest) is too long or short")
    // What may say what of a range is listed anew, not taken from the code.
    let mayBeOfRange = ["Repr-Digest", "Digest", "x-goog-hash", "x-ms-blob-content-md5", "X-Linked-ETag"]
    let isWhole = status == 200 || head.values("Content-Range").contains { $0.utf8.contains(UInt8(ascii: "/")) }
    require(isWhole || mayBeOfRange.contains(claim.source ?? ""), "\(claim) is of a part")
  }
  let algorithms = claims.worthComparing.map(\.digest.algorithm)
  require(Set(algorithms).count == algorithms.count && algorithms.count <= 2, "\(algorithms) are compared")
  require(algorithms == algorithms.sorted(by: >), "the strongest is not the first of \(algorithms)")
  for algorithm in algorithms {
    let values = Set(claims.map(\.digest).filter { $0.algorithm == algorithm })
    require(values.count == 1, "\(values) contradict each other")
  }
  let mirrors = MirrorFields(head)
  require(mirrors.duplicates.count <= LinkField.mostLinks, "\(mirrors.duplicates.count) mirrors")
  for mirror in mirrors.duplicates {
    require(mirror.reference.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "'\(mirror.reference)' is no reference")
    require(mirror.priority ?? 1 > 0, "priority \(mirror.priority ?? 0)")
    require(mirror.country?.utf8.count ?? 2 == 2, "country \(mirror.country ?? "")")
  }
}
