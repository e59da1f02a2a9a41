/// What a path stands for at the moment: the bytes, and what the origin says of them.
package struct Representation: Sendable {
  package enum DateHeader: Sendable {
    case now
    case at(Int64)
    case absent
  }

  package var entity: Entity
  /// As it is sent, with its quotes and `W/`; nil sends none.
  package var etag: String?
  /// Seconds since 1970; nil sends none.
  package var lastModified: Int64?
  package var date = DateHeader.now
  package var acceptRanges: String? = "bytes"
  package var contentType: String? = "application/octet-stream"

  /// The entity under a strong ETag of its own.
  package init(_ entity: Entity) {
    self.entity = entity
    etag = Self.etag(of: entity)
  }

  /// A strong ETag that only this entity has.
  package static func etag(of entity: Entity) -> String {
    "\"\(String(entity.seed, radix: 16))-\(String(entity.size, radix: 16))\""
  }

  /// The header fields that describe the representation, whatever part of it is sent.
  var headers: OriginHeaders {
    var headers = OriginHeaders()
    switch date {
    case .now: headers["Date"] = HTTPDate.text(wallSeconds())
    case .at(let seconds): headers["Date"] = HTTPDate.text(seconds)
    case .absent: break
    }
    headers["Content-Type"] = contentType
    headers["Accept-Ranges"] = acceptRanges
    headers["ETag"] = etag
    headers["Last-Modified"] = lastModified.map(HTTPDate.text)
    return headers
  }
}
