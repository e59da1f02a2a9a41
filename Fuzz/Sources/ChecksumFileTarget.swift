import SheafCore

/// F7. The name of a checksum file, the name that is looked for, and the file.
func fuzzChecksumFile(_ input: Input) {
  let lines = input.rest.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
  guard lines.count == 3 else { return }
  let own = String(decoding: lines[0], as: UTF8.self)
  let wanted = String(decoding: lines[1], as: UTF8.self)
  let file = ChecksumFile(parsing: Array(lines[2]), named: own)
  let text = String(decoding: lines[2], as: UTF8.self).lowercased()
  for entry in file.entries {
    require(entry.digest.bytes.count == entry.digest.algorithm.byteCount, "\(entry.digest) is too long or short")
    require(text.contains(hexadecimal(entry.digest.bytes)), "\(entry.digest) is not in the file")
  }
  do throws(ChecksumFileProblem) {
    let digest = try file.digest(for: [wanted])
    let same = file.entries.filter { $0.digest.algorithm == digest.algorithm && $0.digest != digest }
    require(!same.contains { $0.name == wanted }, "another digest of '\(wanted)' is there")
    let matching = file.entries.filter { $0.digest == digest }
    require(
      matching.contains { entry in entry.name.map { last($0) == last(wanted) } ?? true }, "\(digest) is of another file"
    )
  } catch {
    require(!file.entries.isEmpty || error == .noDigests, "\(error) without entries")
  }
}

private func last(_ name: String) -> Substring {
  name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
}
