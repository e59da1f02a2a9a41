import SheafCore
import Simulation

/// A server, and the network before it, that misbehaves as often as its seed says.
struct SimulatedServer {
  enum Reply {
    case verdict(Verdict)
    case redirect(Location)
    case failure(TransferFailure.Kind)
  }

  /// How often something goes wrong: once in so many answers; 0 is never.
  struct Mischief {
    var refuses = 0
    var fails = 0
    var redirects = 0
    var changes = 0
    var answersWrongly = 0
    var answersShort = 0
    var breaks = 0
    var endsEarly = 0
  }

  private(set) var versions: [Identity]
  let mischief: Mischief
  let hasRanges: Bool
  private let tellsLength: Bool
  private let mirrors: [Location]

  var current: Int { versions.count - 1 }

  init(dice: inout Dice) {
    func odds(_ dice: inout Dice) -> Int { dice.oneIn(2) ? 0 : dice.pick(2...30) }
    mischief = Mischief(
      refuses: odds(&dice), fails: odds(&dice), redirects: odds(&dice), changes: dice.oneIn(3) ? dice.pick(3...60) : 0,
      answersWrongly: dice.oneIn(3) ? dice.pick(3...60) : 0, answersShort: odds(&dice), breaks: odds(&dice),
      endsEarly: odds(&dice))
    hasRanges = !dice.oneIn(8)
    tellsLength = !dice.oneIn(4)
    mirrors = (1...3).map { .at("https", "mirror\($0).example") }
    versions = []
    publish(dice: &dice)
  }

  private mutating func publish(dice: inout Dice) {
    let total =
      switch dice.pick(0...9) {
      case 0: dice.pick(from: [0, 1] as [Int64])
      case 1: dice.bytes(1...DownloadMachine.probeLength)
      case 2: DownloadMachine.probeLength + dice.bytes(-1...1)
      default: dice.bytes(1...80 * mebibyte)
      }
    let tag = "\"\(versions.count)\""
    let validator: Validator = dice.oneIn(5) ? .weak(tag: "W/" + tag, date: nil) : .strongTag(tag)
    versions.append(Identity(total: total, validator: validator))
  }

  func total(of version: Int) -> Int64 { versions[version].total ?? 0 }

  mutating func reply(to request: TransferRequest, dice: inout Dice) -> Reply {
    func happens(_ odds: Int, _ dice: inout Dice) -> Bool { odds > 0 && dice.oneIn(odds) }
    if happens(mischief.fails, &dice) {
      return .failure(dice.pick(from: [.connectionRefused, .timedOut, .cut, .other]))
    }
    if happens(mischief.redirects, &dice) { return .redirect(dice.pick(from: mirrors)) }
    if happens(mischief.refuses, &dice) {
      let status =
        request.location == .original ? dice.pick(from: [503, 429, 500, 404]) : dice.pick(from: [503, 403, 404])
      return .verdict(.refused(status: status, retryAfter: dice.oneIn(2) ? nil : dice.bytes(0...5)))
    }
    if versions.count < 4, happens(mischief.changes, &dice) { publish(dice: &dice) }

    let identity = versions[current]
    let question = request.question
    if request.unlessStill == identity, dice.oneIn(2) { return .verdict(.unchanged) }
    if let pinned = question.pinned, identity.difference(from: pinned) != nil {
      return .verdict(.changed("its ETag changed"))
    }
    if happens(mischief.answersWrongly, &dice) {
      return .verdict(dice.pick(from: [.rejected("it is wrong"), .unsatisfiable(total: nil)]))
    }
    if identity.total == 0 { return .verdict(.empty(identity)) }
    guard question.asksRange, hasRanges else {
      if question.pinned != nil, question.asksRange { return .verdict(.rangeIgnored(identity)) }
      return .verdict(.whole(Identity(total: tellsLength ? identity.total : nil, validator: identity.validator)))
    }
    guard question.range.lower < identity.total ?? 0 else { return .verdict(.unsatisfiable(total: identity.total)) }
    let asked = ByteRange(question.range.lower, min(question.range.upper, identity.total ?? 0))
    let isShort = happens(mischief.answersShort, &dice)
    let upper = isShort ? dice.bytes(asked.lower + 1...asked.upper) : asked.upper
    return .verdict(.range(ByteRange(asked.lower, upper), identity))
  }
}
