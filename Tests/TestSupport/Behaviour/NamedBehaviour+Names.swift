/// O-60: file names that a server should not get away with.
extension NamedBehaviour {
  package static let names = dispositions + paths

  private static let dispositions = dispositionValues.enumerated().map { place, value in
    NamedBehaviour(
      "content-disposition-\(place < 9 ? "0" : "")\(place + 1)", "O-60",
      "`Content-Disposition: \(printable(value))`"
    ) { _ in .correct.header("Content-Disposition", value) }
    // A NUL in a head is reason enough to refuse all of it.
    .ending(with: value.contains("\0") ? .either : .file).with { $0.size = 4096 }
  }

  private static let paths = pathValues.enumerated().map { place, value in
    NamedBehaviour("url-path-\(place < 9 ? "0" : "")\(place + 1)", "O-60", "the URL ends in `\(printable(value))`") {
      _ in
      .correct
    }.ending(with: .either).with {
      $0.size = 4096
      $0.path = value
    }
  }

  private static let long = String(repeating: "n", count: 300)

  /// The first half hides paths, the second half everything else.
  private static let dispositionValues =
    [
      "../escape.bin", "../../escape.bin", "/tmp/sheaf-escape.bin", "..\\escape.bin", "..\\..\\escape.bin",
      "C:\\escape.bin", "C:escape.bin", "\\\\host\\share\\escape.bin", "%2e%2e%2fescape.bin", "..%2fescape.bin",
      "%2fetc%2fpasswd", "..%5cescape.bin", "a/../../escape.bin", "a/b/c.bin", "./file.bin", "..", ".", "...", "/",
      "//", "\\", "", " ", "~", "~/escape.bin", "~root", ".bashrc", ".wgetrc", ".ssh/authorized_keys", ".aria2",
      "-rf", "--help", "-o", "file.bin.part", "file.bin.sheaf", "file.bin\u{00}.txt", "file\u{07}.bin",
      "file\u{1B}[31m.bin", "file\u{202E}nib.exe", "file\u{200B}.bin", "file.bin.", "file.bin ", "CON", "nul.txt",
      "COM1.bin", "a:b.bin", "a*b?.bin", "a|b.bin", "a<b>.bin", "$(touch owned).bin", "`touch owned`.bin",
      "a;b.bin", long, "\(long).tar.gz",
    ].map { "attachment; filename=\"\($0)\"" } + [
      "attachment; filename*=UTF-8''..%2Fescape.bin", "attachment; filename*=UTF-8''%2Ftmp%2Fsheaf-escape.bin",
      "attachment; filename*=utf-16''%FF%FEa", "attachment; filename=\"a.bin\"; filename=\"../escape.bin\"",
      "attachment; filename=\"unterminated", "attachment; filename*=UTF-8''%00%0D%0A%1B",
    ]

  private static let pathValues = [
    "/%2e%2e%2fescape.bin", "/..%2fescape.bin", "/a/%2e%2e", "/a/%2e", "/%2fetc%2fpasswd", "/%5c..%5cescape.bin",
    "/file%00.bin", "/file%0a.bin", "/file%1b%5b31m.bin", "/%e2%80%aenib.exe", "/-rf", "/--help", "/.bashrc",
    "/%ff%fe.bin", "/", "/a/", "/\(long)", "/%7e", "/CON", "/a%3Ab.bin",
  ]

  private static func printable(_ text: String) -> String {
    let shown = text.count > 80 ? "\(text.prefix(40))…" : text
    return shown.unicodeScalars.reduce(into: "") { result, scalar in
      let isOdd = scalar.value < 32 || 127..<160 ~= scalar.value || 0x200B...0x202E ~= scalar.value
      result += isOdd ? "<\(String(scalar.value, radix: 16, uppercase: true))>" : String(scalar)
    }.replacing("|", with: "¦").replacing("`", with: "´")
  }
}
