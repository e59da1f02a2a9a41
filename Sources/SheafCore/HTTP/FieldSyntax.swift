// The few lexical rules that field values share (RFC 9110 §5.6). Text is looked at as UTF-8 bytes: everything
// that has a meaning in HTTP is ASCII, and no Unicode rule about case or digits may creep in.

/// Whether both are the same but for the case of ASCII letters.
func equalIgnoringCase(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
  // Most names differ in length already.
  one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
}

func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// `text` without the optional white space (space and tab, RFC 9110 §5.6.3) around it.
func trimmed(_ text: some StringProtocol) -> String {
  var rest = Substring(text).utf8
  if let first = rest.first, let last = rest.last, !isBlank(first), !isBlank(last) { return String(text) }
  while let first = rest.first, isBlank(first) { rest.removeFirst() }
  while let last = rest.last, isBlank(last) { rest.removeLast() }
  return String(Substring(rest))
}

/// `bytes` without the optional white space around them.
func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var rest = bytes
  while let first = rest.first, isBlank(first) { rest.removeFirst() }
  while let last = rest.last, isBlank(last) { rest.removeLast() }
  return rest
}

func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// The value of `1*DIGIT`; nil when `digits` is empty, holds anything else, or exceeds `Int64.max`.
func decimal(_ digits: some Sequence<UInt8>) -> Int64? {
  var result: Int64?
  for byte in digits {
    guard isDigit(byte) else { return nil }
    let (tenfold, overflowed) = (result ?? 0).multipliedReportingOverflow(by: 10)
    let (sum, overflowedToo) = tenfold.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
    if overflowed || overflowedToo { return nil }
    result = sum
  }
  return result
}

/// The members of a comma-separated list, trimmed; empty ones included.
func listMembers(_ value: String) -> [String] {
  value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { trimmed(Substring($0)) }
}

/// `tchar` (RFC 9110 §5.6.2).
func isTokenCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
  case UInt8(ascii: "0")...UInt8(ascii: "9"): true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
