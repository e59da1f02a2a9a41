/// What the origin was asked and what it gave, as of one moment.
///
/// Bytes count as sent from the moment at which the origin hands them to the system, and are taken back if the
/// connection ends before it has them: the log never shows fewer than the clients have received. Those of a client that
/// left early may have ended in a buffer.
package struct OriginLog: Sendable {
  /// In the order in which the requests arrived.
  package internal(set) var requests: [LoggedRequest] = []
  package internal(set) var connectionsAccepted = 0
  /// The most connections that were open on both sides at one time.
  package internal(set) var concurrentConnectionsPeak = 0
  /// The most requests that were being answered at one time.
  package internal(set) var concurrentRequestsPeak = 0

  /// Bytes of all bodies.
  package var bytesSent: Int64 { requests.reduce(0) { $0 + $1.bodyBytes } }

  package func requests(for path: String) -> [LoggedRequest] { requests.filter { $0.path == path } }

  /// The runs of the entity's bytes that were sent, sorted by their start; runs may overlap.
  ///
  /// With `entity` only what was sent of that one, for paths whose content changes.
  package func rangesSent(path: String = Origin.defaultPath, of entity: Entity? = nil) -> [Range<Int64>] {
    requests(for: path).flatMap(\.sent)
      .filter { entity == nil || $0.entity == entity }
      .map(\.range)
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  /// How many bytes of a range were sent; those sent twice count twice.
  package func bytesSent(in range: Range<Int64>, path: String = Origin.defaultPath) -> Int64 {
    rangesSent(path: path).reduce(0) { sum, sent in
      sum + max(0, min(sent.upperBound, range.upperBound) - max(sent.lowerBound, range.lowerBound))
    }
  }

  /// The bytes sent at least once, as ranges that neither touch nor overlap.
  package func coverage(path: String = Origin.defaultPath, of entity: Entity? = nil) -> [Range<Int64>] {
    rangesSent(path: path, of: entity).reduce(into: []) { merged, sent in
      if let last = merged.last, sent.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, sent.upperBound)
      } else {
        merged.append(sent)
      }
    }
  }

  /// How many bytes were sent in excess: each sending of a byte after its first counts.
  package func bytesSentAgain(path: String = Origin.defaultPath, of entity: Entity? = nil) -> Int64 {
    let all = rangesSent(path: path, of: entity).reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let once = coverage(path: path, of: entity).reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    return all - once
  }
}

/// One request and its answer.
package struct LoggedRequest: Sendable {
  package struct Sent: Hashable, Sendable {
    package let entity: Entity
    package internal(set) var range: Range<Int64>
  }

  /// Counted from 1 in the order of acceptance.
  package let connection: Int
  package let request: OriginRequest
  /// Nil until the answer begins.
  package internal(set) var status: Int?
  /// Bytes of the answer's body, whatever they were; without the framing of chunks.
  package internal(set) var bodyBytes: Int64 = 0
  /// Which of an entity's bytes were in it.
  package internal(set) var sent: [Sent] = []
  /// True when the origin is done with it, well or badly.
  package internal(set) var isFinished = false

  package var path: String { request.path }
  package var method: String { request.method }
  package var headers: OriginHeaders { request.headers }
  package var rangeHeader: String? { request.headers["Range"] }
  package var rangeAsked: RangeRequest? { rangeHeader.flatMap { RangeRequest($0) } }

  /// Undoes the end of what was added last.
  mutating func takeBack(_ count: Int64, of piece: OriginBody.Piece) {
    bodyBytes -= count
    guard case .entity = piece, let last = sent.popLast() else { return }
    let end = last.range.upperBound - count
    if end > last.range.lowerBound { sent.append(Sent(entity: last.entity, range: last.range.lowerBound..<end)) }
  }

  mutating func add(_ piece: OriginBody.Piece, from offset: Int64, count: Int64) {
    bodyBytes += count
    guard count > 0, case .entity(let entity, let whole) = piece else { return }
    let start = whole.lowerBound + offset
    if let last = sent.last, last.entity == entity, last.range.upperBound == start {
      sent[sent.count - 1].range = last.range.lowerBound..<(start + count)
    } else {
      sent.append(Sent(entity: entity, range: start..<(start + count)))
    }
  }
}
