import Testing

@testable import SheafCommand

@Suite("The progress line")
struct ProgressLineTests {
  static let line = ProgressLine(
    name: "big.iso", bytes: 112_721_920, total: 256 << 20, bytesPerSecond: 128e6, timeLeft: .seconds(2), connections: 16
  )

  @Test(
    "shows what fits, the most important first",
    arguments: [
      (0, ""), (1, "4"), (10, "41%"), (19, "41%"), (20, " 41%   122 MiB/s"),
      (40, " 41%  [====>     ]   122 MiB/s      0:02"),
      (80, " 41%  [=======>           ]   108 MiB of 256 MiB   122 MiB/s      0:02   16 conn"),
    ])
  func widths(width: Int, text: String) {
    let rendered = Self.line.rendered(width: width)
    #expect(displayWidth(rendered) <= width)
    #expect(rendered == text)
  }

  @Test("shows everything on a wide terminal")
  func wide() {
    let rendered = Self.line.rendered(width: 200)
    for part in ["big.iso", " 41%", "[====", "108 MiB of 256 MiB", "122 MiB/s", "0:02", "16 conn"] {
      #expect(rendered.contains(part))
    }
  }

  static let shapes: [ProgressLine] = [
    line,
    ProgressLine(name: "", bytes: 0, total: 0, bytesPerSecond: 0, timeLeft: nil, connections: 0),
    ProgressLine(name: "s", bytes: 5 << 30, total: nil, bytesPerSecond: .nan, timeLeft: nil, connections: 1),
    ProgressLine(
      name: String(repeating: "日本語", count: 40), bytes: 150 << 30, total: 213 << 30, bytesPerSecond: 9e9,
      timeLeft: .seconds(359_999), connections: 256),
    ProgressLine(name: "x", bytes: .max, total: .max, bytesPerSecond: .infinity, timeLeft: .zero, connections: .max),
    ProgressLine(name: "x", bytes: 20, total: 10, bytesPerSecond: 1, timeLeft: .zero, connections: 1),
    ProgressLine(name: "x", bytes: -1, total: 10, bytesPerSecond: -1, timeLeft: .zero, connections: -1),
  ]

  @Test("never takes more columns than there are", arguments: shapes)
  func neverWraps(shape: ProgressLine) {
    for width in -1...220 {
      #expect(displayWidth(shape.rendered(width: width)) <= max(0, width))
    }
  }

  @Test("keeps its width while the numbers change, so that nothing jumps", arguments: [20, 40, 80, 120, 200])
  func steady(width: Int) {
    var widths: Set<Int> = []
    for step in 0...1000 {
      let line = ProgressLine(
        name: "n", bytes: Int64(step) * 300_000, total: 300_000_000, bytesPerSecond: Double(step) * 17_000,
        timeLeft: .seconds((1000 - step) * 11), connections: step % 20)
      widths.insert(displayWidth(line.rendered(width: width)))
    }
    #expect(widths.count == 1)
  }

  @Test("says 100 % only when all is there")
  func percent() {
    var line = Self.line
    line.total = 1 << 62
    line.bytes = (1 << 62) - 1
    #expect(line.rendered(width: 10) == "99%")
    line.bytes += 1
    #expect(line.rendered(width: 10) == "100%")
    #expect(Self.shapes[1].rendered(width: 10) == "100%")
  }

  @Test("shows bytes instead of a percentage while the total is unknown")
  func unknownTotal() {
    var line = Self.line
    line.total = nil
    #expect(line.rendered(width: 10) == "108 MiB")
    let wide = line.rendered(width: 80)
    #expect(wide.contains("108 MiB") && wide.contains("122 MiB/s") && !wide.contains("%") && !wide.contains("["))
  }

  @Test("cuts a long name of wide characters")
  func wideName() {
    let rendered = Self.shapes[3].rendered(width: 120)
    #expect(rendered.hasPrefix("日本語日本語"))
    #expect(rendered.contains("..."))
  }
}

@Suite("Progress over time")
struct ProgressTimeTests {
  let start = ContinuousClock.now

  @Test("draws at most ten times a second")
  func throttle() {
    var throttle = Throttle()
    let admitted = (0..<1000).count { throttle.admits(at: start + .milliseconds($0)) }
    #expect(admitted == 10)
  }

  @Test("guesses the time left from the rate, and calmly")
  func timeLeft() {
    var guess = TimeLeft()
    #expect(guess.update(bytesPerSecond: 0, remaining: 1000, at: start) == nil)
    #expect(guess.update(bytesPerSecond: 100, remaining: 1000, at: start) == .seconds(10))
    // A stall of half a second moves it a little.
    let stalled = guess.update(bytesPerSecond: 0, remaining: 1000, at: start + .milliseconds(500))
    #expect([.seconds(11), .seconds(12)].contains(stalled))
    #expect(guess.update(bytesPerSecond: .nan, remaining: .max, at: start + .seconds(1)) == nil)
  }
}
