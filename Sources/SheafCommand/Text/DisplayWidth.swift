/// How many columns of a terminal `text` takes, near enough for cutting it.
func displayWidth(_ text: some StringProtocol) -> Int {
  text.reduce(0) { $0 + displayWidth($1) }
}

/// The beginning of `text` that fits into `width` columns, with `...` in place of what was cut where there is
/// room for that. Never half a character.
func fitted(_ text: String, width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  let ending = width >= 6 ? "..." : ""
  var room = width - ending.count
  let kept = text.prefix { character in
    room -= displayWidth(character)
    return room >= 0
  }
  return kept + ending
}

/// `text` with blanks in front of it.
func rightAligned(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

private func displayWidth(_ character: Character) -> Int {
  var width = 0
  for scalar in character.unicodeScalars {
    width = max(width, isWide(scalar) ? 2 : takesNoColumn(scalar) ? 0 : 1)
    // Variation selector 16 asks for the picture, which is wide.
    if scalar.value == 0xFE0F { width = 2 }
  }
  return width
}

private func takesNoColumn(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: true
  default: false
  }
}

/// The blocks that Unicode's East Asian Width calls wide or full-width, and the pictures.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF: true
  case 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6: true
  case 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD: true
  default: scalar.properties.isEmojiPresentation
  }
}
