import CExpat
package import SheafCore

/// Reads a Metalink document. expat takes the XML apart and nothing else: what it means is decided in `MetalinkBuilder`.
package func parseMetalink(_ bytes: [UInt8]) throws(MetalinkProblem) -> Metalink {
  guard bytes.count <= Metalink.Bounds.document else { throw .tooLarge }
  let parser = MetalinkParser()
  return try parser.parse(bytes)
}

/// One document being read.
private final class MetalinkParser {
  /// Stands between a namespace and a name; no URI has it.
  private static let separator = UInt8(ascii: " ")

  private var builder = MetalinkBuilder()
  private var problem: MetalinkProblem?
  private let parser = XML_ParserCreateNS(nil, XML_Char(separator))

  deinit { XML_ParserFree(parser) }

  func parse(_ bytes: [UInt8]) throws(MetalinkProblem) -> Metalink {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      MetalinkParser.from(context) { _ throws(MetalinkProblem) in throw .documentType }
    }
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        MetalinkParser.from(context) { parser throws(MetalinkProblem) in
          let (namespace, name) = MetalinkParser.split(name)
          try parser.builder.started(name, in: namespace, MetalinkParser.pairs(attributes))
        }
      },
      { context, _ in MetalinkParser.from(context) { parser throws(MetalinkProblem) in try parser.builder.ended() } })
    XML_SetCharacterDataHandler(parser) { context, text, count in
      MetalinkParser.from(context) { parser throws(MetalinkProblem) in
        let bytes = UnsafeBufferPointer(start: text, count: Int(count))
        try parser.builder.read(bytes.map { UInt8(bitPattern: $0) })
      }
    }
    let status = bytes.withUnsafeBytes { bytes in
      XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
    }
    if let problem { throw problem }
    guard status == XML_STATUS_OK else { throw .malformed(line: Int(XML_GetCurrentLineNumber(parser))) }
    return try builder.finished()
  }

  /// Finds the parser that a callback belongs to. A problem ends the parsing, and nothing that still comes is looked at.
  private static func from(
    _ context: UnsafeMutableRawPointer?, _ body: (MetalinkParser) throws(MetalinkProblem) -> Void
  ) {
    guard let context else { return }
    let parser = Unmanaged<MetalinkParser>.fromOpaque(context).takeUnretainedValue()
    guard parser.problem == nil else { return }
    do throws(MetalinkProblem) {
      try body(parser)
    } catch {
      parser.problem = error
      XML_StopParser(parser.parser, XML_Bool(0))
    }
  }

  private static func split(_ name: UnsafePointer<XML_Char>?) -> (namespace: String, name: String) {
    let text = name.map { String(cString: $0) } ?? ""
    guard let place = text.utf8.lastIndex(of: separator) else { return ("", text) }
    return (String(text[..<place]), String(text[text.utf8.index(after: place)...]))
  }

  /// The attributes without a namespace, from expat's array of names and values that ends with a null pointer.
  private static func pairs(_ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) -> [(
    name: String, value: String
  )] {
    var pairs: [(name: String, value: String)] = []
    var place = 0
    while let attributes, let name = attributes[place], let value = attributes[place + 1] {
      pairs.append((String(cString: name), String(cString: value)))
      place += 2
    }
    return pairs
  }
}
