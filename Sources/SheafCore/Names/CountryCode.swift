/// `text` as an ISO 3166-1 alpha-2 code in lower case, as Metalink writes the place of a server; nil if it is none by its
/// form.
func countryCode(_ text: String) -> String? {
  let letters = text.utf8.map(lowercased)
  guard letters.count == 2, letters.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else {
    return nil
  }
  return String(decoding: letters, as: UTF8.self)
}
