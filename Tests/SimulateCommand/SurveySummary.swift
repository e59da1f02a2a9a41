import Simulation

/// What a survey found, for people and for programs.
struct SurveySummary {
  private let survey: Survey
  private let measures: [(name: String, key: String, values: Distribution)]

  init(_ survey: Survey) {
    self.survey = survey
    let counted = survey.counted
    measures = [
      ("time ÷ ideal", "ratio", survey.ratios),
      (
        "wasted % of the file", "wasted_percent",
        Distribution(counted.map { 100 * Double($0.outcome.wasted) / Double($0.outcome.total) })
      ),
      ("requests", "requests", Distribution(counted.map { Double($0.outcome.requests) })),
      (
        "requests ÷ connections", "requests_per_connection",
        Distribution(counted.map { Double($0.outcome.requests) / Double($0.parameters.connections) })
      ),
      ("waiting % of the time", "waiting_percent", Distribution(counted.map { 100 * $0.outcome.waitingShare })),
    ]
  }

  var text: String {
    var lines = ["\(survey.results.count) cases, \(survey.counted.count) of them counted"]
    for reason in SimulatedCase.Exclusion.allCases {
      lines.append("  not counted, \(reason.rawValue): \(survey.excluded(reason))")
    }
    lines.append(row("", "median", "90 %", "99 %", "worst", "mean"))
    for (name, _, values) in measures {
      let shown = [values.median, values.quantile(0.9), values.quantile(0.99), values.worst, values.mean]
      lines.append(row(name, shown.map { "\(rounded($0))" }))
    }
    if let worst = survey.worst {
      lines.append("worst: seed \(worst.parameters.seed): \(worst.parameters)")
    }
    lines.append(row("region", "cases", "median", "90 %", "99 %", "above \(Survey.farFromIdeal)", "worst seed"))
    for region in survey.regions {
      lines.append(
        row(
          "\(region.question): \(region.answer)",
          [
            "\(region.ratios.count)", "\(rounded(region.ratios.median))", "\(rounded(region.ratios.quantile(0.9)))",
            "\(rounded(region.ratios.quantile(0.99)))", "\(region.misses)", "\(region.worstSeed)",
          ]))
    }
    for result in survey.complaints {
      lines.append("wrong: seed \(result.parameters.seed): \(result.complaint ?? ""): \(result.parameters)")
    }
    return lines.joined(separator: "\n")
  }

  private func row(_ name: String, _ cells: String...) -> String { row(name, cells) }

  private func row(_ name: String, _ cells: [String]) -> String {
    let gap = String(repeating: " ", count: max(0, 30 - name.count))
    return name + gap
      + cells.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
  }

  var json: String {
    let distributions = measures.map { _, key, values in (key, JSONText(values)) }
    let regions = survey.regions.map { region in
      JSONText([
        ("question", JSONText(region.question)), ("answer", JSONText(region.answer)),
        ("misses", JSONText(region.misses)), ("worst_seed", JSONText(region.worstSeed)),
        ("ratio", JSONText(region.ratios)),
      ])
    }
    let complaints = survey.complaints.map { result in
      JSONText([
        ("seed", JSONText(result.parameters.seed)), ("complaint", JSONText(result.complaint ?? "")),
        ("parameters", JSONText("\(result.parameters)")),
      ])
    }
    let misses = survey.counted.filter { $0.ratio > Survey.farFromIdeal }.map { result in
      JSONText([
        ("seed", JSONText(result.parameters.seed)), ("ratio", JSONText(result.ratio)),
        ("parameters", JSONText("\(result.parameters)")),
      ])
    }
    let excluded = SimulatedCase.Exclusion.allCases.map { ($0.rawValue, JSONText(survey.excluded($0))) }
    let worst = survey.worst.map {
      JSONText([
        ("seed", JSONText($0.parameters.seed)), ("ratio", JSONText($0.ratio)),
        ("parameters", JSONText("\($0.parameters)")),
      ])
    }
    return JSONText([
      ("cases", JSONText(survey.results.count)), ("counted", JSONText(survey.counted.count)),
      ("excluded", JSONText(excluded)), ("worst", worst ?? JSONText([(String, JSONText)]())),
      ("distributions", JSONText(distributions)), ("regions", JSONText(regions)), ("misses", JSONText(misses)),
      ("complaints", JSONText(complaints)),
    ]).text
  }
}
