import Simulation
import Testing

/// The planner against hundreds of networks; `sheaf-simulate` runs thousands, with up to 256 connections.
@Suite("Many simulated networks")
struct SurveyTests {
  /// Few enough connections for a debug build.
  private static let survey = Task { await Survey.run(seeds: 0..<150, mostConnections: 16) }

  @Test("every download ends, whole, with few requests, wasting little, and never with too many connections")
  func rules() async {
    for result in await Self.survey.value.complaints {
      Issue.record("seed \(result.parameters.seed): \(result.complaint ?? ""): \(result.parameters)")
    }
  }

  @Test("half of the downloads take the ideal time, or 8 per cent more")
  func median() async {
    let survey = await Self.survey.value
    #expect(survey.counted.count > 100)
    #expect(survey.ratios.median <= Survey.nearIdeal, "\(survey.ratios.median)")
  }

  @Test("99 of 100 downloads take the ideal time, or 35 per cent more")
  func tail() async {
    let survey = await Self.survey.value
    let worst = survey.worst.map { "worst: seed \($0.parameters.seed): \($0.parameters)" } ?? ""
    #expect(survey.ratios.quantile(0.99) <= Survey.farFromIdeal, "\(survey.ratios.quantile(0.99)), \(worst)")
  }
}
