/// Which requests a rule is for.
package struct Occasion: Sendable {
  package let covers: @Sendable (OriginExchange) -> Bool

  package init(_ covers: @escaping @Sendable (OriginExchange) -> Bool) {
    self.covers = covers
  }

  package static let always = Occasion { _ in true }

  /// The path's first requests, that many of them.
  package static func first(_ count: Int) -> Occasion { Occasion { $0.number <= count } }

  /// All of the path's requests but the first `count`.
  package static func after(_ count: Int) -> Occasion { Occasion { $0.number > count } }

  /// One request of the path, counted from 1.
  package static func request(_ number: Int) -> Occasion { Occasion { $0.number == number } }

  /// Each `period`-th request of the path.
  package static func every(_ period: Int) -> Occasion { Occasion { $0.number % period == 0 } }

  /// Requests that ask for a range.
  package static let ranges = Occasion { $0.request.asksForRange }

  /// Requests that ask for a range which does not start the file.
  package static let laterRanges = Occasion { exchange in
    switch exchange.request.headers["Range"].flatMap({ RangeRequest($0) }) {
    case .between(let first, _)?, .from(let first)?: first > 0
    case .last?: true
    case nil: false
    }
  }

  /// Ranges whose first byte lies at a place of the file.
  package static func beginning(at place: Int64) -> Occasion { beginning { $0 == place } }

  /// Ranges whose first byte lies at a place of the file or behind it.
  package static func beginning(from place: Int64) -> Occasion { beginning { $0 >= place } }

  private static func beginning(_ test: @escaping @Sendable (Int64) -> Bool) -> Occasion {
    Occasion { exchange in
      switch exchange.request.headers["Range"].flatMap({ RangeRequest($0) }) {
      case .between(let first, _)?, .from(let first)?: test(first)
      case .last?, nil: false
      }
    }
  }

  /// Requests for the path alone.
  package static let withoutQuery = Occasion { $0.request.query == nil }

  package static func method(_ method: String) -> Occasion { Occasion { $0.request.method == method } }

  /// Requests on one connection, counted from 1 in the order of acceptance.
  package static func connection(_ number: Int) -> Occasion { Occasion { $0.connection == number } }

  /// Requests on each `period`-th connection.
  package static func everyConnection(_ period: Int) -> Occasion { Occasion { $0.connection % period == 0 } }

  package func and(_ other: Occasion) -> Occasion { Occasion { covers($0) && other.covers($0) } }
}
