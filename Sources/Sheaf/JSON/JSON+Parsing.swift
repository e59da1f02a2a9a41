import CJansson
import SheafCore

extension JSON {
  /// Reads an object or an array by jansson, which refuses what RFC 8259 does not allow, members of the same name, strings
  /// with a zero byte, and nesting of more than 2,048 levels; nil for anything that is not JSON.
  init?(parsing bytes: some Collection<UInt8>) {
    let text = Array(bytes)
    let root = text.withUnsafeBytes { bytes in
      json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, Int(JSON_REJECT_DUPLICATES), nil)
    }
    guard let root else { return nil }
    defer { json_decref(root) }
    self.init(node: root)
  }

  private init(node value: UnsafeMutablePointer<json_t>) {
    self =
      switch value.pointee.type {
      case JSON_OBJECT: .object(Self.members(of: value))
      case JSON_ARRAY:
        .array((0..<json_array_size(value)).compactMap { json_array_get(value, $0).map { JSON(node: $0) } })
      case JSON_STRING: .string(json_string_value(value).map { String(cString: $0) } ?? "")
      case JSON_INTEGER: .integer(Int64(json_integer_value(value)))
      case JSON_REAL: .number(json_real_value(value))
      case JSON_TRUE: .bool(true)
      case JSON_FALSE: .bool(false)
      default: .null
      }
  }

  private static func members(of object: UnsafeMutablePointer<json_t>) -> [(name: String, value: JSON)] {
    var members: [(name: String, value: JSON)] = []
    var place = json_object_iter(object)
    while let here = place {
      if let name = json_object_iter_key(here), let value = json_object_iter_value(here) {
        members.append((String(cString: name), JSON(node: value)))
      }
      place = json_object_iter_next(object, here)
    }
    return members
  }
}
