import Sheaf
import SheafCore

extension OptionArgument {
  /// A text that may be secret, or with `@FILE` what stands in a file that nobody else can read, without the line's end.
  func secret(what: String, example: String) throws(UsageError) -> String {
    guard text.hasPrefix("@") else {
      guard !text.isEmpty else { throw unlikeSecret(what, example: example) }
      return text
    }
    guard !isInList else {
      throw UsageError("\(option)=@FILE in a list could send any file to anybody", suggestion: "give it to sheaf")
    }
    let content = try secretLine(in: String(text.dropFirst()), for: option)
    guard !content.isEmpty else { throw UsageError("\(option): \(printable(String(text.dropFirst()))) is empty") }
    return content
  }

  /// A proxy's URL; empty for none.
  func proxy() throws(UsageError) -> String {
    text.isEmpty ? "" : try secret(what: "the URL of a proxy", example: "http://proxy.example:3128")
  }

  /// A name, and a password if there is one.
  func user() throws(UsageError) -> (name: String, password: String?) {
    let both = try secret(what: "a name and a password", example: "NAME:PASSWORD")
    let parts = both.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count > 1 || !isInList else { throw unlikeSecret("a name and a password", example: "NAME:PASSWORD") }
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
  }

  /// `NAME=VALUE`, perhaps several.
  func cookie() throws(UsageError) -> String {
    let value = try secret(what: "a cookie", example: "NAME=VALUE")
    guard value.contains("=") else {
      throw UsageError("\(option) needs a cookie NAME=VALUE", suggestion: "use --load-cookies FILE for a file of them")
    }
    return value
  }
}

/// The first line of a file that nobody else can read.
func secretLine(in path: String, for option: String) throws(UsageError) -> String {
  do throws(Failure) {
    let bytes = try SecretFile.read(path)
    var line = bytes.prefix { $0 != 10 }
    guard bytes.dropFirst(line.count + 1).allSatisfy({ $0 == 10 || $0 == 13 }) else {
      throw Failure(.usage, "\(printable(path)) has more than one line")
    }
    if line.last == 13 { line = line.dropLast() }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Failure(.usage, "\(printable(path)) is not UTF-8")
    }
    return text
  } catch {
    throw UsageError("\(option): \(error.message)", suggestion: error.suggestion ?? "see sheaf --help")
  }
}
