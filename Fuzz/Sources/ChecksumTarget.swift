import Sheaf
import SheafCore

/// F7. A digest that somebody typed.
func fuzzChecksum(_ input: Input) {
  let text = input.text
  do throws(DownloadError) {
    let checksum = try Checksum(parsing: text)
    require(checksum.bytes.count == checksum.algorithm.byteCount, "\(checksum) has \(checksum.bytes.count) bytes")
    require(text.lowercased().hasSuffix(hexadecimal(checksum.bytes)), "'\(text)' became \(checksum)")
    let again = try Checksum(parsing: checksum.description)
    require(again == checksum, "\(checksum) is read as \(again)")
  } catch {
    require(error.code == .usage, "'\(text)' is no usage error")
    require(!error.message.unicodeScalars.contains(where: isUnprintable), "an unprintable message")
  }
}
