import SheafCore

@testable import SheafCommand

/// F12. Whatever a server or a user says, on its way to a terminal or into JSON.
func fuzzOutput(_ input: Input) {
  var input = input
  let width = Int(input.byte())
  let line = ProgressLine(
    name: "", bytes: input.size(upTo: .max), total: input.byte() & 1 == 0 ? nil : input.size(upTo: .max),
    bytesPerSecond: Double(bitPattern: input.number()), timeLeft: .seconds(input.size(upTo: .max)),
    connections: Int(input.byte()))
  let text = input.text

  let safe = printable(text)
  require(!safe.unicodeScalars.contains(where: isUnprintable), "unprintable")
  require(safe.unicodeScalars.count == text.unicodeScalars.count, "characters were lost")
  require(printable(safe) == safe, "'\(safe)' changes when made safe again")

  let fit = fitted(safe, width: width)
  require(displayWidth(fit) <= width, "\(displayWidth(fit)) columns instead of \(width)")
  require(displayWidth(safe) > width || fit == safe, "'\(safe)' was cut without need")
  let kept = fit == safe || width < 6 ? fit.unicodeScalars[...] : fit.unicodeScalars.dropLast(3)
  require(safe.unicodeScalars.starts(with: kept), "'\(fit)' is not the beginning of '\(safe)'")

  var named = line
  named.name = safe
  let rendered = named.rendered(width: width)
  require(displayWidth(rendered) <= width, "a progress line of \(displayWidth(rendered)) columns in \(width)")

  let json = JSON.object([(text, .array([.string(text), .number(line.bytesPerSecond), .null]))]).text
  require(!json.unicodeScalars.contains(where: isUnprintable), "unprintable JSON")
  let string = JSON.string(text).text
  require(json.hasPrefix("{\(string):[\(string),"), "'\(json)' lacks a string")
  require(unescaped(string) == Array(text.utf16), "'\(string)' is not '\(text)'")
}

/// The UTF-16 that a string of RFC 8259 stands for; nil if it is none.
private func unescaped(_ string: String) -> [UInt16]? {
  var units = Array(string.utf16)[...]
  guard units.popFirst() == 0x22, units.popLast() == 0x22 else { return nil }
  var result: [UInt16] = []
  while let unit = units.popFirst() {
    if unit == 0x22 || unit < 0x20 { return nil }
    guard unit == 0x5C else {
      result.append(unit)
      continue
    }
    switch units.popFirst() {
    case 0x22: result.append(0x22)
    case 0x5C: result.append(0x5C)
    case 0x6E: result.append(0x0A)
    case 0x72: result.append(0x0D)
    case 0x74: result.append(0x09)
    case 0x75:
      guard let code = UInt16(String(decoding: units.prefix(4), as: UTF16.self), radix: 16) else { return nil }
      result.append(code)
      units = units.dropFirst(4)
    default: return nil
    }
  }
  return result
}
