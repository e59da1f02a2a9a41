import Sheaf
import SheafCore

/// What a server says of a file, for people or as JSON.
enum ProbeReport {
  /// The URL, then a line for each fact.
  static func text(of source: SourceDescription) -> String {
    var rows: [(String, String)] = []
    if source.redirects > 0 {
      rows.append(("leads to", "\(source.finalURL) (\(source.redirects) redirect\(source.redirects == 1 ? "" : "s"))"))
    }
    rows.append(("name", source.name))
    rows.append(("length", source.bytes.map { "\($0) bytes (\(humanSize($0)))" } ?? "not told"))
    rows.append(
      ("ranges", source.answersRanges ? "yes, so that several connections can share it" : "no, so one stream"))
    let proof = source.entityTag.map { ", ETag \($0)" } ?? source.lastModified.map { ", Last-Modified \($0)" } ?? ""
    rows.append(("identity", source.identity.rawValue + proof))
    for digest in source.digests { rows.append(("digest", "\(digest.checksum) (\(digest.source))")) }
    for mirror in source.mirrors { rows.append(("mirror", mirror)) }
    return
      ([source.url]
      + rows.map { name, value in
        "  " + name + String(repeating: " ", count: 10 - name.count) + value
      }).map { $0 + "\n" }.joined()
  }

  /// One line of JSON.
  static func json(of source: SourceDescription, index: Int) -> String {
    JSON.object([
      ("event", .string("probe")), ("download", .integer(Int64(index + 1))), ("url", .string(source.url)),
      ("final_url", .string(source.finalURL)), ("redirects", .integer(Int64(source.redirects))),
      ("name", .string(source.name)), ("total", source.bytes.map(JSON.integer) ?? .null),
      ("ranges", .bool(source.answersRanges)), ("identity", .string(source.identity.rawValue)),
      ("etag", source.entityTag.map(JSON.string) ?? .null),
      ("last_modified", source.lastModified.map(JSON.string) ?? .null),
      (
        "digests",
        .array(
          source.digests.map { digest in
            .object([
              ("algorithm", .string(digest.checksum.algorithm.rawValue)),
              ("digest", .string(hexadecimal(digest.checksum.bytes))),
              ("source", .string(digest.source)),
            ])
          })
      ), ("mirrors", .array(source.mirrors.map(JSON.string))),
    ]).text
  }
}
