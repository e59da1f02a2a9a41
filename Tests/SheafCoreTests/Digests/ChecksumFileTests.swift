import SheafCore
import Testing

@Suite("Checksum files")
struct ChecksumFileTests {
  static let sha256 = String(repeating: "a1", count: 32)
  static let other = String(repeating: "b2", count: 32)
  static let sha512 = String(repeating: "c3", count: 64)
  static let md5 = String(repeating: "d4", count: 16)

  private func file(_ text: String, named name: String = "SUMS") -> ChecksumFile {
    ChecksumFile(parsing: Array(text.utf8), named: name)
  }

  private func digest(_ text: String, for names: String..., in name: String = "SUMS") -> String? {
    (try? file(text, named: name).digest(for: names))?.description
  }

  private func problem(_ text: String, for names: String..., in name: String = "SUMS") -> ChecksumFileProblem? {
    do throws(ChecksumFileProblem) {
      _ = try file(text, named: name).digest(for: names)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "reads the forms that tools write",
    arguments: [
      "\(sha256)  big.iso", "\(sha256) *big.iso", "\(sha256)  ./big.iso", "\(sha256) big.iso", "\(sha256)\tbig.iso\r",
      "SHA256 (big.iso) = \(sha256)", "SHA2-256(big.iso)= \(sha256)", "SHA256(big.iso)= \(sha256)",
      "\(sha256.uppercased())  dir/big.iso", "\(sha256)", "# made today\n\n\(other)  other.iso\n\(sha256)  big.iso\n",
      "\(sha256)  big.iso\n\(sha256)  big.iso",
    ])
  func forms(text: String) {
    #expect(digest(text, for: "big.iso") == "sha-256=\(Self.sha256)")
  }

  @Test("undoes the escapes of names")
  func escapes() {
    #expect(digest("\\\(Self.sha256)  a\\nb\\\\c\\r", for: "a\nb\\c\r") == "sha-256=\(Self.sha256)")
    #expect(digest("\\SHA256 (a\\nb) = \(Self.sha256)", for: "a\nb") == "sha-256=\(Self.sha256)")
    #expect(problem("\\\(Self.sha256)  a\\xb", for: "axb") == .noDigests)
    #expect(digest("\(Self.sha256)  a\\nb", for: "a\\nb") == "sha-256=\(Self.sha256)")
  }

  @Test("names with parentheses and blanks are whole")
  func oddNames() {
    #expect(digest("SHA256 (a (1).iso) = \(Self.sha256)", for: "a (1).iso") == "sha-256=\(Self.sha256)")
    #expect(digest("\(Self.sha256)  a b.iso", for: "a b.iso") == "sha-256=\(Self.sha256)")
    #expect(digest("\(Self.sha256)  *b.iso", for: "*b.iso") == "sha-256=\(Self.sha256)")
  }

  @Test("a whole path counts more than its last component; equal components that differ decide nothing")
  func paths() {
    let text = "\(Self.sha256)  amd64/big.iso\n\(Self.other)  arm64/big.iso"
    #expect(digest(text, for: "arm64/big.iso", "big.iso") == "sha-256=\(Self.other)")
    #expect(problem(text, for: "big.iso") == .ambiguous)
    #expect(problem(text, for: "small.iso") == .nameMissing)
  }

  @Test("of several algorithms the strongest counts")
  func strongest() {
    let text = "MD5 (big.iso) = \(Self.md5)\nSHA512 (big.iso) = \(Self.sha512)\nSHA256 (big.iso) = \(Self.sha256)"
    #expect(digest(text, for: "big.iso") == "sha-512=\(Self.sha512)")
    #expect(digest("\(Self.md5)\n\(Self.sha256)", for: "any") == "sha-256=\(Self.sha256)")
  }

  @Test("a digest that names another file is not taken for this one's")
  func otherName() {
    #expect(problem("\(Self.sha256)  other.iso", for: "big.iso") == .nameMissing)
    #expect(problem("\(Self.sha256)\n\(Self.other)", for: "big.iso") == .ambiguous)
    #expect(problem("\(Self.other)\n\(Self.sha256)  other.iso", for: "big.iso") == .nameMissing)
  }

  @Test(
    "the file's name tells the algorithm, where it does",
    arguments: [
      ("big.iso.sha256", "sha-256"), ("SHA256SUMS", "sha-256"), ("sha256sum.txt", "sha-256"), ("sums", "sha-256"),
      ("https/b2/sha-256.txt", "sha-256"), ("SHA3-256SUMS", nil), ("big.iso.b2", nil), ("BLAKE2S", nil),
      ("SHA512SUMS", nil), ("big.iso.md5", nil), ("sha3-tools.iso.sha256", "sha-256"),
    ] as [(String, String?)])
  func names(name: String, algorithm: String?) {
    #expect(digest("\(Self.sha256)  big.iso", for: "big.iso", in: name) == algorithm.map { "\($0)=\(Self.sha256)" })
  }

  @Test(
    "lines that are no digests mean nothing",
    arguments: [
      "", "hello", "<html>", "deadbeef1  big.iso", "SHA3-256 (big.iso) = \(sha256)", "SHA256 (big.iso) = \(md5)",
      "SHA256 () = \(sha256)", "SHA256 (big.iso) \(sha256)", "\(sha256)00  big.iso", "g\(sha256.dropFirst())  big.iso",
      "sha256:\(sha256)",
    ])
  func garbage(line: String) {
    #expect(problem(line, for: "big.iso") == .noDigests)
  }

  @Test("armour is taken off, and said to be there")
  func signed() {
    let text = """
      -----BEGIN PGP SIGNED MESSAGE-----
      Hash: SHA256

      # comment
      \(Self.sha256)  big.iso
      - \(Self.other)  -dash.iso
      -----BEGIN PGP SIGNATURE-----

      \(Self.other)
      =abcd
      -----END PGP SIGNATURE-----
      """
    let signed = file(text)
    #expect(signed.isSigned)
    #expect(signed.entries.map(\.name) == ["big.iso", "-dash.iso"])
    #expect(digest(text, for: "big.iso") == "sha-256=\(Self.sha256)")
    #expect(!file("\(Self.sha256)  big.iso").isSigned)
  }

  @Test("endless files and lines are not read")
  func bounds() {
    #expect(file(String(repeating: "\(Self.sha256)  a\n", count: 70_000)).entries.isEmpty)
    #expect(file("\(Self.sha256)  \(String(repeating: "x", count: 20_000))\n\(Self.sha256)  a").entries.count == 1)
  }
}
