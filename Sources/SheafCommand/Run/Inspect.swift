import Sheaf
import SheafCore

/// `sheaf inspect FILE.sheaf`.
enum Inspect {
  static func run(_ options: InspectOptions) -> ExitStatus {
    do {
      let decoded = try ManifestReader.read(options.path)
      let text = options.json ? json(decoded).text + "\n" : description(of: decoded)
      return DescriptorOutput.standardOutput.write(text) == nil ? .ok : .fileIO
    } catch {
      DescriptorOutput.standardError.write(line: errorLine(error.message, error.suggestion))
      return ExitStatus(error.code)
    }
  }

  /// For people: the facts, then a picture of the bitmap.
  static func description(of decoded: DecodedManifest, width: Int = 64) -> String {
    let manifest = decoded.manifest
    let present = presentBytes(of: manifest)
    let percent = tenths(Double(present) / Double(manifest.total) * 100)
    let rows = [
      ("source", printable(manifest.source)),
      ("length", "\(manifest.total) bytes (\(humanSize(manifest.total)))"),
      ("identity", printable(identity(manifest.validator))),
      ("blocks", "\(manifest.blocks.setCount) of \(manifest.blocks.count), \(humanSize(manifest.blockSize)) each"),
      ("present", "\(present) bytes (\(humanSize(present)), \(percent) %)"),
      ("checkpoint", "number \(decoded.generation)"),
    ]
    var text = ""
    for (name, value) in rows {
      text += name + String(repeating: " ", count: 12 - name.count) + value + "\n"
    }
    let picture = BlockPicture(manifest.blocks, width: width * 16).text
    var rest = Substring(picture)
    while !rest.isEmpty {
      text += rest.prefix(width) + "\n"
      rest = rest.dropFirst(width)
    }
    return text
  }

  private static func json(_ decoded: DecodedManifest) -> JSON { .object(members(of: decoded)) }

  static func members(of decoded: DecodedManifest) -> [(name: String, value: JSON)] {
    let manifest = decoded.manifest
    let (kind, tag, date): (String, JSON, JSON) =
      switch manifest.validator {
      case .strongTag(let tag): ("strong-etag", .string(tag), .null)
      case .strongDate(let date): ("strong-last-modified", .null, .string(date))
      case .weak(let tag, let date): ("weak", tag.map(JSON.string) ?? .null, date.map(JSON.string) ?? .null)
      case .none: ("none", .null, .null)
      }
    return [
      ("source", .string(manifest.source)),
      ("source_sha256", .string(hexadecimal(manifest.sourceHash))),
      ("total", .integer(manifest.total)),
      ("validator", .string(kind)),
      ("etag", tag),
      ("last_modified", date),
      ("block_size", .integer(manifest.blockSize)),
      ("blocks", .integer(Int64(manifest.blocks.count))),
      ("blocks_present", .integer(Int64(manifest.blocks.setCount))),
      ("bytes_present", .integer(presentBytes(of: manifest))),
      ("generation", .integer(Int64(clamping: decoded.generation))),
      ("bitmap", .string(hexadecimal(manifest.blocks.bytes))),
    ]
  }

  static func presentBytes(of manifest: Manifest) -> Int64 {
    BlockMap(total: manifest.total, blockSize: manifest.blockSize).byteCount(of: manifest.blocks)
  }

  private static func identity(_ validator: Validator) -> String {
    switch validator {
    case .strongTag(let tag): "strong, ETag \(tag)"
    case .strongDate(let date): "strong, Last-Modified \(date)"
    case .weak(let tag, let date): "weak, \((tag ?? date) ?? "")"
    case .none: "none"
    }
  }
}
