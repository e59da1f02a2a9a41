/// Pages for people, where a file was asked for.
extension Behaviour {
  /// A page without any validator. `labelled` makes it a 206 with the Content-Range that was asked for; `padded` fills
  /// it up to the length that the right answer would have had.
  package func page(labelled: Bool = false, padded: Bool = false, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { exchange, answer in
      let right = answer
      answer = .page(200)
      answer.body = OriginBody("<!DOCTYPE html><html><body><h1>Please sign in</h1></body></html>\n")
      if padded {
        let whole = labelled ? right.body.count : exchange.entity.size
        if whole > answer.body.count {
          answer.body.pieces += OriginBody.garbage(whole - answer.body.count, seed: 34).pieces
        }
      }
      if labelled, let range = right.contentRange {
        answer.status = 206
        answer.contentRange = range
      }
    }
  }

  /// A redirect to the page at /login of the same port under another name.
  package func redirectingToLogin(on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { exchange, answer in
      answer = .page(302, headers: ["Location": "\(exchange.otherBase)/login"])
    }
  }

  /// The range as the only part of a multipart/byteranges.
  package func multipart(on occasion: Occasion = .ranges) -> Behaviour {
    amending(on: occasion) { _, answer in
      guard let range = answer.contentRange else { return }
      let head = "\r\n--sheaf\r\nContent-Type: application/octet-stream\r\nContent-Range: \(range.text)\r\n\r\n"
      answer.contentRange = nil
      answer.headers["Content-Type"] = "multipart/byteranges; boundary=sheaf"
      answer.body.pieces =
        OriginBody(head).pieces + answer.body.pieces + OriginBody("\r\n--sheaf--\r\n").pieces
    }
  }

  /// Redirects to links that work for that many requests of anybody, or for some seconds, and then give a status with
  /// 635 bytes of XML.
  package func signedLinks(
    requests: Int = .max, seconds: Int64 = 1 << 40, thereafter status: Int = 403
  ) -> Behaviour {
    amending { exchange, answer in
      guard let query = exchange.request.query else {
        let last = exchange.number.addingReportingOverflow(requests).partialValue
        let limit = requests == .max ? Int.max : last
        answer = .page(
          302,
          headers: [
            "Location":
              "\(exchange.base)\(exchange.request.path)?last=\(limit)&until=\(wallSeconds() + seconds)&signature=0"
          ])
        return
      }
      let numbers = query.split { !$0.isNumber }.compactMap { Int64($0) }
      if numbers.count < 2 || Int64(exchange.number) > numbers[0] || wallSeconds() > numbers[1] {
        answer = .page(status, headers: ["Content-Type": "application/xml"])
        answer.headers["Content-Type"] = "application/xml"
        let text =
          "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
        answer.body = OriginBody(text + String(repeating: " ", count: 635 - text.utf8.count))
      }
    }
  }

  /// Sends some text once and some other text until the client has enough of it.
  package static func flooding(start: String, again: String) -> Behaviour {
    .custom { _, writer in
      let burst = String(repeating: again, count: 64)
      guard writer.send(start) else { return true }
      while writer.send(burst) {}
      return true
    }
  }

  /// Each Content-Length of an answer with a body as the function makes it of the body's.
  package func length(ofStatus status: Int? = nil, _ text: @escaping @Sendable (Int64) -> String) -> Behaviour {
    amending { _, answer in
      guard [200, 206].contains(answer.status), status == nil || status == answer.status else { return }
      answer.headers["Content-Length"] = text(answer.body.count)
      answer.keepsAlive = false
    }
  }

  /// Flips about one bit in each 2^30, and in any case one in the middle of the third body.
  package func flippingBits(seed: UInt64) -> Behaviour {
    amending { exchange, answer in
      guard case .entity(let entity, let range)? = answer.body.pieces.first, !range.isEmpty else { return }
      let length = range.upperBound - range.lowerBound
      let hash = mixed(seed ^ UInt64(exchange.number))
      let isUnlucky = Double(hash >> 11) / Double(1 << 53) < Double(length) / Double(1 << 27)
      guard exchange.number == 3 || isUnlucky else { return }
      let place = range.lowerBound + length / 2
      var byte = entity.bytes(in: place..<(place + 1))
      byte[0] ^= 1 << UInt8(hash & 7)
      answer.body.pieces = [
        .entity(entity, range.lowerBound..<place), .bytes(byte), .entity(entity, (place + 1)..<range.upperBound),
      ]
    }
  }
}

extension OriginBody {
  /// Bytes that belong to no file.
  package static func garbage(_ count: Int64, seed: UInt64) -> OriginBody {
    let source = Entity(seed: ~seed, size: count)
    return OriginBody([.made(count: count) { source.fill($0, at: $1) }])
  }
}
