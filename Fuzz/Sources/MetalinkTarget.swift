import Sheaf
import SheafCore

/// F8. A Metalink document. expat is not compiled for fuzzing: what it hands over is what is looked at.
func fuzzMetalink(_ input: Input) {
  let metalink: Metalink
  do throws(MetalinkProblem) {
    metalink = try parseMetalink(Array(input.rest))
  } catch {
    require(!error.description.unicodeScalars.contains(where: isUnprintable), "an unprintable problem")
    return
  }
  require(!metalink.files.isEmpty, "no files")
  require(Set(metalink.files.map(\.name)).count == metalink.files.count, "a name twice")
  require(!input.text.contains("<!DOCTYPE"), "a document type went through")
  for file in metalink.files {
    require(fileName(sanitizing: file.name.utf8).utf8.elementsEqual(file.name.utf8), "'\(file.name)' is not safe")
    require((0...Metalink.Bounds.fileSize).contains(file.size ?? 0), "\(file.size ?? 0) bytes")
    require(Set(file.digests.map(\.algorithm)).count == file.digests.count, "two digests of one algorithm")
    require(file.sources.map(\.priority) == file.sources.map(\.priority).sorted(), "sources out of order")
    for source in file.sources {
      require(source.url.lowercased().hasPrefix("http"), "'\(source.url)' is not HTTP")
      require(source.url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "'\(source.url)' is no URL")
      require((1...Metalink.Bounds.worstPriority).contains(source.priority), "priority \(source.priority)")
    }
    guard let pieces = file.pieces else { continue }
    require(pieces.total == file.size, "pieces of \(pieces.total) bytes in a file of \(file.size ?? -1)")
    require(pieces.range(of: 0..<pieces.count) == ByteRange(0, pieces.total), "the pieces do not make up the file")
  }
}
