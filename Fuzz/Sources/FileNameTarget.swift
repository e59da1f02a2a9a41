import SheafCore

/// F3. Both ways into the sanitizer of file names.
func fuzzFileName(_ input: Input) {
  for name in [fileName(sanitizing: input.rest), fileName(fromURLPath: input.text)] {
    let bytes = Array(name.utf8)
    require((1...255 - 6).contains(bytes.count), "'\(name)' has \(bytes.count) bytes")
    require(!bytes.contains { $0 < 32 || $0 == 127 || $0 == 47 || $0 == 92 }, "'\(name)' is a path or has controls")
    require(bytes[0] != 46 && bytes[0] != 45 && bytes[0] != 126, "'\(name)' begins like a hidden file or an option")
    require(bytes[bytes.count - 1] != 46 && bytes[bytes.count - 1] != 32, "'\(name)' ends with a dot or space")
    require(!name.unicodeScalars.contains(where: isLying), "'\(name)' reorders or hides itself")
    require(fileName(sanitizing: bytes).utf8.elementsEqual(bytes), "'\(name)' changes when made safe again")
    require(staysInDirectory(name), "'\(name)' leaves the directory")
  }
}

/// C1, bidirectional controls, zero-width characters, line separators, tags; listed anew, not taken from the code.
private func isLying(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x80...0x9F, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
  case 0xE0000...0xE007F, 0xD800...0xDFFF: true
  default: false
  }
}

/// Walks the path as a file system does.
private func staysInDirectory(_ name: String) -> Bool {
  var depth = 0
  for component in name.utf8.split(separator: UInt8(ascii: "/")) {
    if component.elementsEqual("..".utf8) { depth -= 1 } else if !component.elementsEqual(".".utf8) { depth += 1 }
    if depth < 1 { return false }
  }
  return depth == 1
}
