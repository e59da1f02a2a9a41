import SheafCore
import Testing

@Suite("Explanation")
struct ExplanationTests {
  private static func evidence(_ change: (inout Explanation.Evidence) -> Void) -> Explanation.Evidence {
    var seen = Explanation.Evidence()
    seen.duration = 20
    seen.level = 16
    seen.ceiling = 16
    seen.connectionsPeak = 16
    seen.roundTrip = 0.05
    seen.connectionRate = 4e6
    change(&seen)
    return seen
  }

  private static let cases: [(Explanation.Evidence, [Explanation.Cause])] = [
    (evidence { $0.evenness = 0.9 }, [.connectionCap(rate: 4e6), .ceiling(16)]),
    (evidence { ($0.evenness, $0.connectionsPeak, $0.ceiling) = (0.9, 16, 64) }, [.connectionCap(rate: 4e6)]),
    (evidence { ($0.evenness, $0.findings.wasInflated) = (0.9, true) }, [.line]),
    (evidence { ($0.evenness, $0.findings.moreDidNotPay) = (0.9, true) }, [.line]),
    (evidence { $0.evenness = 0.2 }, [.line]),
    (evidence { _ in }, [.line]),
    (evidence { ($0.evenness, $0.findings.ceilingWasReached) = (0.1, true) }, [.ceiling(16)]),
    (evidence { ($0.findings.refusals, $0.level) = (12, 4) }, [.throttled(refusals: 12, level: 4)]),
    (evidence { $0.findings.refusals = 1 }, [.line]),
    (evidence { $0.singleStream = "no ranges" }, [.oneStream("no ranges")]),
    (evidence { $0.computingShare = 0.9 }, [.processor]),
    (evidence { $0.diskWait = 8 }, [.disk(share: 0.4)]),
    (evidence { ($0.evenness, $0.duration) = (0.9, 0.5) }, [.tooShort]),
    (evidence { ($0.evenness, $0.limited) = (0.9, 15) }, [.ownLimit(share: 0.75)]),
    (evidence { ($0.computingShare, $0.limited) = (0.9, 9) }, [.processor]),
    (
      evidence { ($0.singleStream, $0.findings.refusals, $0.level, $0.computingShare) = ("no ranges", 3, 1, 0.9) },
      [.oneStream("no ranges"), .throttled(refusals: 3, level: 1), .processor]
    ),
  ]

  @Test("names what was seen to limit", arguments: cases)
  func causes(_ seen: Explanation.Evidence, _ expected: [Explanation.Cause]) {
    #expect(Explanation(seen).causes == expected)
  }
}
