/// How an origin treats one path: the correct behaviour and what is to be changed about it.
///
/// A value made of rules. They run in the order in which they were added, so later ones see, and may undo, what earlier
/// ones did. There are three stages: what the origin reads, what the path stands for, and what is answered.
package struct Behaviour: Sendable {
  private enum Rule: Sendable {
    case reading(Occasion, @Sendable (OriginExchange, inout OriginRequest) -> Void)
    case presenting(Occasion, @Sendable (OriginExchange, inout Representation) -> Void)
    case amending(Occasion, @Sendable (OriginExchange, inout OriginAnswer) -> Void)
  }

  private var rules: [Rule] = []

  /// Answers by itself what no rule can express; false leaves the request to the rules.
  package var respond: (@Sendable (OriginRequest, ResponseWriter) -> Bool)?

  /// Ranges, conditions and a strong ETag, as RFC 9110 has them.
  package static let correct = Behaviour()

  /// A behaviour that is written out as a closure.
  package static func custom(
    _ respond: @escaping @Sendable (OriginRequest, ResponseWriter) -> Bool
  ) -> Behaviour {
    var behaviour = Behaviour()
    behaviour.respond = respond
    return behaviour
  }

  /// Changes the request that is answered, as if the client had sent another one. The log keeps the real one.
  package func reading(
    on occasion: Occasion = .always, _ change: @escaping @Sendable (OriginExchange, inout OriginRequest) -> Void
  ) -> Behaviour { adding(.reading(occasion, change)) }

  /// Changes what the path stands for: its bytes and validators. The answer is correct for that.
  package func presenting(
    on occasion: Occasion = .always, _ change: @escaping @Sendable (OriginExchange, inout Representation) -> Void
  ) -> Behaviour { adding(.presenting(occasion, change)) }

  /// Changes the finished answer, right or wrong.
  package func amending(
    on occasion: Occasion = .always, _ change: @escaping @Sendable (OriginExchange, inout OriginAnswer) -> Void
  ) -> Behaviour { adding(.amending(occasion, change)) }

  /// Both, this one's rules first.
  package func and(_ other: Behaviour) -> Behaviour {
    var both = self
    both.rules += other.rules
    both.respond = other.respond ?? respond
    return both
  }

  func answer(to exchange: OriginExchange) -> OriginAnswer {
    var request = exchange.request
    for case .reading(let occasion, let change) in rules where occasion.covers(exchange) {
      change(exchange, &request)
    }
    var representation = Representation(exchange.entity)
    for case .presenting(let occasion, let change) in rules where occasion.covers(exchange) {
      change(exchange, &representation)
    }
    var answer = OriginAnswer.correct(to: request, for: representation)
    for case .amending(let occasion, let change) in rules where occasion.covers(exchange) {
      change(exchange, &answer)
    }
    return answer
  }

  private func adding(_ rule: Rule) -> Behaviour {
    var longer = self
    longer.rules.append(rule)
    return longer
  }
}
