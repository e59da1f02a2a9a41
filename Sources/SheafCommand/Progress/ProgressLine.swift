/// Where one download, or all of them together, stand, for one line of a terminal.
struct ProgressLine: Equatable, Sendable {
  /// Safe to print.
  var name: String
  var bytes: Int64
  var total: Int64?
  var bytesPerSecond: Double
  var timeLeft: Duration?
  /// Nil where nothing is fetched.
  var connections: Int?
}

extension ProgressLine {
  /// The line for a terminal that is `width` columns wide. It never takes more than that.
  ///
  /// What does not fit is left out whole, the least important first, and each part has a fixed width, so that
  /// nothing jumps about while the numbers change. Below 20 columns only the percentage is left.
  func rendered(width: Int) -> String {
    guard width >= 20 else { return fitted(share, width: max(0, width)) }
    var layout = Layout(width: width)
    layout.add(.share, total == nil ? nil : rightAligned(share, 4))
    layout.add(.rate, rightAligned(humanRate(bytesPerSecond), 10))
    layout.add(.timeLeft, total == nil ? nil : rightAligned(clockTime(timeLeft), 8))
    layout.add(.amount, amount)
    if total != nil { layout.reserve(.bar, 12) }
    layout.add(.connections, connections.map { rightAligned("\($0) conn", 8) })
    if layout.room >= Self.shortestName {
      layout.add(.name, fitted(name, width: min(layout.room, max(Self.shortestName, width / 4))))
    }
    if total != nil { layout.widen(.bar, atMost: 52) { bar(width: $0) } }
    return layout.text
  }

  /// The same for a log: `big.iso: 12 %, 1.2 GiB of 10 GiB, 122 MiB/s, 1:02 left, 16 connections`.
  var sentence: String {
    var parts = total == nil ? [humanSize(bytes)] : ["\(percent) %", "\(humanSize(bytes)) of \(humanSize(total ?? 0))"]
    parts.append(humanRate(bytesPerSecond))
    if let timeLeft { parts.append("\(clockTime(timeLeft)) left") }
    if let connections { parts.append("\(connections) connection\(connections == 1 ? "" : "s")") }
    return "\(name): \(parts.joined(separator: ", "))"
  }

  private static let shortestName = 8

  /// Full hundredths, so that 100 % means complete; bytes while the total is not known.
  private var share: String {
    guard total != nil else { return humanSize(bytes) }
    return "\(percent)%"
  }

  private var percent: Int {
    guard let total, bytes < total else { return 100 }
    return min(99, Int(fraction * 100))
  }

  private var fraction: Double {
    guard let total, total > 0 else { return 1 }
    return min(1, max(0, Double(bytes) / Double(total)))
  }

  private var amount: String {
    let present = rightAligned(humanSize(bytes), 8)
    guard let total else { return present }
    return "\(present) of \(humanSize(total))"
  }

  private func bar(width: Int) -> String {
    let room = width - 2
    let filled = percent == 100 ? room : min(room - 1, Int(fraction * Double(room)))
    let head = percent == 100 ? "" : ">"
    return
      "[\(String(repeating: "=", count: filled))\(head)\(String(repeating: " ", count: room - filled - head.count))]"
  }
}

/// The parts of a line as they are chosen, the most important first, and put side by side in their own order.
private struct Layout {
  /// In the order of the line.
  enum Part: Int { case name, share, bar, amount, rate, timeLeft, connections }

  let width: Int
  private var used = 0
  private var parts: [Part: String] = [:]

  init(width: Int) { self.width = width }

  /// The columns left for one more part.
  var room: Int { width - used - (parts.isEmpty ? 0 : Self.gap) }

  var text: String {
    parts.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value).joined(
      separator: String(repeating: " ", count: Self.gap))
  }

  mutating func add(_ part: Part, _ text: String?) {
    guard let text, case let columns = displayWidth(text), columns <= room else { return }
    used = width - room + columns
    parts[part] = text
  }

  /// Keeps `columns` free for a part that is drawn once the others are in place.
  mutating func reserve(_ part: Part, _ columns: Int) { add(part, String(repeating: " ", count: columns)) }

  /// Draws a reserved part into its columns and all that no other part took, but not more than `most`.
  mutating func widen(_ part: Part, atMost most: Int, draw: (Int) -> String) {
    guard let reserved = parts[part] else { return }
    parts[part] = draw(min(most, reserved.count + width - used))
  }

  private static let gap = 2
}
