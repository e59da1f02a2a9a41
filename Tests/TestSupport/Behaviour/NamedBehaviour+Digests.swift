/// O-62, O-65: what the origin says of the digest, and bits that flip.
extension NamedBehaviour {
  static let digests = [
    digest("repr-digest-right", "a right Repr-Digest") { ["Repr-Digest": "sha-256=:\(base64($0.sha256())):"] },
    digest("repr-digest-wrong", "a Repr-Digest of other bytes") { ["Repr-Digest": "sha-256=:\(base64(wrong($0))):"] }
      .ending(with: .either),
    digest("repr-digest-md5", "a wrong Repr-Digest in MD5 alone, which proves nothing") {
      ["Repr-Digest": "md5=:\(base64(Array(wrong($0).prefix(16)))):"]
    }.ending(with: .either),
    digest("repr-digest-malformed", "a Repr-Digest that cannot be read") { _ in ["Repr-Digest": "sha-256=:???:, =, \""]
    },
    digest("content-digest-wrong", "a Content-Digest of other bytes") {
      ["Content-Digest": "sha-256=:\(base64(wrong($0))):"]
    }.ending(with: .either),
    NamedBehaviour("content-digest-right", "O-62", "a right Content-Digest of each answer") { _ in
      .correct.amending { _, answer in
        guard case .entity(let entity, let range)? = answer.body.pieces.first else { return }
        answer.headers["Content-Digest"] = "sha-256=:\(base64(entity.sha256(of: range))):"
      }
    },
    digest("digest-legacy", "the old Digest field, right") { ["Digest": "SHA-256=\(base64($0.sha256()))"] },
    NamedBehaviour("flips-bits", "O-65", "one bit in each 2^30 is wrong, and one in the third body in any case") {
      entity in
      .correct.flippingBits(seed: entity.seed)
    }.ending(with: .either).with { $0.needsDigest = true },
  ]

  private static func digest(
    _ name: String, _ summary: String, _ headers: @escaping @Sendable (Entity) -> OriginHeaders
  ) -> NamedBehaviour {
    NamedBehaviour(name, "O-62", summary) { entity in
      let fields = headers(entity).fields
      return .correct.amending { _, answer in
        for field in fields { answer.headers[field.name] = field.value }
      }
    }
  }

  private static func wrong(_ entity: Entity) -> [UInt8] { entity.sha256().map { ~$0 } }
}

/// RFC 4648 §4, with padding.
package func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for place in 0..<4 {
      text.append(place <= group.count ? digits[word >> (18 - 6 * place) & 63] : "=")
    }
  }
  return text
}
