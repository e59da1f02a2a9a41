import Simulation
import TestSupport

/// What a server does wrong, thrown together from one to four faults.
struct OriginScript: Sendable {
  /// In the order in which they apply.
  private(set) var faults: [Fault] = []
  /// What it serves beside the entity.
  private(set) var others: [Entity] = []

  struct Fault: Sendable {
    let text: String
    let behaviour: Behaviour

    init(_ text: String, _ behaviour: Behaviour) {
      self.text = text
      self.behaviour = behaviour
    }
  }

  var behaviour: Behaviour { faults.reduce(.correct) { $0.and($1.behaviour) } }

  var description: String { faults.map(\.text).joined(separator: ", ") }

  /// - Parameter maySayAnything: also lies that only a digest can tell.
  init(for entity: Entity, maySayAnything: Bool, _ dice: inout Dice) {
    // Loopback without a rate would be over before anything could happen.
    let rate = Int64(dice.logarithmic(Double(2 << 20)...Double(64 << 20)))
    faults.append(Fault("rate \(rate)", .correct.rate(rate)))
    let identity = dice.pick(0...9)
    if identity < 7, dice.oneIn(4) { addChange(of: entity, &dice) }
    for _ in 0..<dice.pick(1...3) {
      faults.append(maySayAnything && dice.oneIn(4) ? .lie(about: entity, &dice) : .honest(about: entity, &dice))
    }
    // After a change, so that it holds for the new bytes too. Without an ETag a change could not be told.
    switch identity {
    case 5, 6: faults.append(Fault("weak ETag", .correct.weakETag()))
    case 7: faults.append(Fault("no validator", .correct.noValidator()))
    case 8: faults.append(Fault("Last-Modified only", .correct.lastModifiedOnly()))
    case 9: faults.append(Fault("weak Last-Modified only", .correct.lastModifiedOnly(dateAfter: 0)))
    default: break
    }
  }

  private mutating func addChange(of entity: Entity, _ dice: inout Dice) {
    let size = dice.pick(from: [entity.size, entity.size, entity.size / 2, entity.size + 5000])
    let other = Entity(seed: ~entity.seed, size: size)
    let count = dice.pick(1...6)
    others.append(other)
    faults.append(
      Fault("changes to \(size) bytes after \(count) requests", .correct.changing(to: other, on: .after(count))))
    if dice.oneIn(2) { faults.append(Fault("deaf to If-Range", .correct.reading { $1.headers["If-Range"] = nil })) }
  }
}

extension OriginScript.Fault {
  /// A fault that a careful client can tell, or bear.
  fileprivate static func honest(about entity: Entity, _ dice: inout Dice) -> Self {
    let (when, occasion) = occasion(&dice)
    let place = dice.bytes(0...max(1, entity.size))
    switch dice.pick(0...19) {
    case 0:
      let seconds = dice.pick(from: [0.005, 0.05, 0.3])
      return Self("\(seconds) s of latency \(when)", .correct.latency(seconds, on: occasion))
    case 1: return Self("closes after \(place) \(when)", .correct.closing(after: place, on: occasion))
    case 2: return Self("resets after \(place) \(when)", .correct.resetting(after: place, on: occasion))
    case 3: return Self("stalls after \(place) \(when)", .correct.stalling(after: place, on: occasion))
    case 4:
      let ending = dice.pick(from: [OriginAnswer.Ending.close, .reset, .stall, .pause(seconds: 0.5)])
      let count = dice.pick(0...200)
      return Self(
        "\(ending) in the head after \(count) \(when)", .correct.cut(.head(after: count), ending, on: occasion))
    case 5, 6, 7:
      let status = dice.pick(from: [400, 401, 403, 404, 408, 410, 412, 416, 429, 500, 502, 503, 504])
      let retry = dice.oneIn(3) ? dice.pick(from: ["0", "1", "soon", "-5", "999999999999"]) : nil
      return Self(
        "\(status) (Retry-After \(retry ?? "none")) \(when)",
        .correct.status(status, retryAfter: retry, on: occasion))
    case 8: return Self("ignores ranges \(when)", .correct.ignoringRanges(claimingThem: dice.oneIn(2), on: occasion))
    case 9: return Self("whole file as 206 \(when)", .correct.answeringWholeFile(on: occasion))
    case 10: return Self("no Content-Range \(when)", .correct.omittingContentRange(on: occasion))
    case 11:
      let count = dice.bytes((16 << 10)...(4 << 20))
      return Self("at most \(count) \(when)", .correct.shorteningRanges(to: count, on: occasion))
    case 12:
      let count = dice.bytes(-100_000...100_000)
      return Self("starts shifted by \(count) \(when)", .correct.shiftingStart(by: count, on: occasion))
    case 13: return Self("ranges to the end \(when)", .correct.lengtheningRangesToEnd(on: occasion))
    case 14:
      let total = dice.oneIn(2) ? nil : dice.bytes(0...(entity.size * 2))
      return Self("total \(total.map { "\($0)" } ?? "*") \(when)", .correct.total(total, on: occasion))
    case 15: return Self("chunks \(when)", .correct.chunked(on: occasion))
    case 16: return Self("claims gzip \(when)", .correct.claimingGzip(on: occasion))
    case 17:
      let hops = dice.pick(1...3)
      return Self("\(hops) redirects", .correct.redirecting(hops: hops))
    case 18:
      let limit = dice.pick(1...6)
      let excess = dice.pick(from: [Behaviour.Excess.status(503, retryAfter: nil), .reset, .hang])
      return Self("\(excess) beyond \(limit) connections", .correct.limitingConnections(to: limit, excess: excess))
    default:
      let text = dice.pick(from: ["bytes 0-0/1", "bytes", "bytes 5-4/10", "octets 0-9/10", "bytes */99", ""])
      return Self("Content-Range: \(text) \(when)", .correct.contentRange(text, on: occasion))
    }
  }

  /// A fault that only a digest can tell.
  fileprivate static func lie(about entity: Entity, _ dice: inout Dice) -> Self {
    let (when, occasion) = occasion(&dice)
    switch dice.pick(0...5) {
    case 0: return Self("lies about the start \(when)", .correct.lyingAboutStart(on: occasion))
    case 1: return Self("flips bits", .correct.flippingBits(seed: entity.seed))
    case 2:
      let other = Entity(seed: ~entity.seed, size: entity.size)
      return Self(
        "other bytes under the same ETag \(when)", .correct.changing(to: other, on: occasion, etag: .unchanged))
    case 3: return Self("ends with the connection \(when)", .correct.closeDelimited(on: occasion))
    case 4:
      let length = dice.pick(from: ["0", "-1", "many", "99999999999999999999", "\(entity.size / 2)"])
      return Self("Content-Length: \(length) \(when)", .correct.contentLength(length, on: occasion))
    default:
      let (labelled, padded) = (dice.oneIn(2), dice.oneIn(2))
      return Self(
        "a page\(labelled ? ", labelled" : "")\(padded ? ", padded" : "") \(when)",
        .correct.page(labelled: labelled, padded: padded, on: occasion))
    }
  }

  private static func occasion(_ dice: inout Dice) -> (String, Occasion) {
    let number = dice.pick(1...6)
    return switch dice.pick(0...7) {
    case 0: ("always", .always)
    case 1: ("for the first \(number)", .first(number))
    case 2: ("after \(number)", .after(number))
    case 3: ("for request \(number)", .request(number))
    case 4, 5: ("for every \(number + 1)th", .every(number + 1))
    case 6: ("for later ranges", .laterRanges)
    default: ("on connection \(number)", .connection(number))
    }
  }
}
