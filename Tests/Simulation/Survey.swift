/// The results of many cases.
package struct Survey: Sendable {
  package let results: [CaseResult]

  package init(_ results: [CaseResult]) { self.results = results.sorted { $0.parameters.seed < $1.parameters.seed } }

  /// Runs the cases with these seeds, on several threads if `width` is more than 1.
  package static func run(seeds: Range<Int>, mostConnections: Int = 256, width: Int = 1) async -> Survey {
    await withTaskGroup(of: [CaseResult].self) { group in
      // Dealt out in turns, as seeds that follow each other have nothing in common.
      for lane in 0..<max(1, width) {
        group.addTask {
          stride(from: seeds.lowerBound + lane, to: seeds.upperBound, by: max(1, width)).map {
            CaseResult(SimulatedCase(seed: $0, mostConnections: mostConnections))
          }
        }
      }
      return Survey(await group.reduce(into: []) { $0 += $1 })
    }
  }

  /// The cases whose time says something about the plan.
  package var counted: [CaseResult] { results.filter { $0.exclusion == nil } }

  package var ratios: Distribution { Distribution(counted.map(\.ratio)) }

  package func excluded(_ reason: SimulatedCase.Exclusion) -> Int {
    results.reduce(0) { $0 + ($1.exclusion == reason ? 1 : 0) }
  }

  package var worst: CaseResult? { counted.max { $0.ratio < $1.ratio } }

  package var complaints: [CaseResult] { results.filter { $0.complaint != nil } }

  /// Parts of the cases that have something in common, by name: where the misses are.
  package var regions: [Region] {
    SimulatedCase.questions.flatMap { question in
      let groups = Dictionary(grouping: counted) { question.answer($0.parameters) }
      return groups.sorted { $0.key < $1.key }.map { Region(question: question.name, answer: $0.key.text, $0.value) }
    }
  }

  package struct Region: Sendable {
    package let question: String
    package let answer: String
    package let ratios: Distribution
    /// Cases slower than `farFromIdeal`.
    package let misses: Int
    package let worstSeed: Int

    init(question: String, answer: String, _ results: [CaseResult]) {
      self.question = question
      self.answer = answer
      ratios = Distribution(results.map(\.ratio))
      misses = results.reduce(0) { $0 + ($1.ratio > Survey.farFromIdeal ? 1 : 0) }
      worstSeed = results.max { $0.ratio < $1.ratio }?.parameters.seed ?? 0
    }
  }

  /// Ninety-nine cases of a hundred must not be slower, beside the ideal, than this; half of them not than that.
  package static let farFromIdeal = 1.35
  package static let nearIdeal = 1.08
}

extension SimulatedCase {
  /// An answer, and its place among the others.
  struct Answer: Hashable, Comparable {
    let place: Int
    let text: String
    static func < (one: Answer, other: Answer) -> Bool { (one.place, one.text) < (other.place, other.text) }

    /// Which of the ranges between `bounds` a value is in.
    init(_ value: Double, between bounds: [(Double, String)]) {
      place = bounds.firstIndex { value <= $0.0 } ?? bounds.count
      text = place < bounds.count ? "to \(bounds[place].1)" : "more"
    }

    init(_ text: String) { (place, self.text) = (0, text) }
  }

  struct Question: Sendable {
    let name: String
    let answer: @Sendable (SimulatedCase) -> Answer
  }

  static let questions = [
    Question(name: "file") {
      Answer(
        Double($0.total) / 0x1p20,
        between: [(8, "8 MiB"), (64, "64 MiB"), (1024, "1 GiB"), (0x1p14, "16 GiB"), (0x1p20, "1 TiB")])
    },
    Question(name: "connections") {
      Answer(Double($0.connections), between: [(1, "1"), (4, "4"), (16, "16"), (64, "64")])
    },
    Question(name: "round trip") { Answer($0.roundTrip, between: [(0.01, "10 ms"), (0.1, "100 ms")]) },
    Question(name: "line") {
      Answer($0.line / 125_000, between: [(10, "10 Mbit/s"), (100, "100 Mbit/s"), (1000, "1 Gbit/s")])
    },
    Question(name: "ideal time") {
      Answer(
        $0.ideal / $0.roundTrip, between: [(50, "50 round trips"), (200, "200"), (1000, "1000"), (10_000, "10,000")])
    },
    Question(name: "limit") { one in
      guard let cap = one.cap else { return Answer("the line alone") }
      return Answer(cap * Double(one.connections) < one.line ? "connections' caps" : "the line, and caps")
    },
    Question(name: "spread") { Answer($0.spread.rawValue) },
    Question(name: "stalls") { Answer($0.stalls == nil ? "no" : "yes") },
  ]
}
