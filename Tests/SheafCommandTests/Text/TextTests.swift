import Sheaf
import Testing

@testable import SheafCommand

@Suite("Text for people")
struct TextTests {
  @Test(
    "writes sizes with three digits",
    arguments: [
      (-1, "0 B"), (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (102_348, "99.9 KiB"),
      (102_400, "100 KiB"), (1_048_063, "1023 KiB"), (1_048_064, "1.0 MiB"), (256 << 20, "256 MiB"),
      (1 << 40, "1.0 TiB"), (Int64.max, "8.0 EiB"),
    ] as [(Int64, String)])
  func sizes(bytes: Int64, text: String) {
    #expect(humanSize(bytes) == text)
  }

  @Test("never needs more than 8 columns for a size")
  func sizeWidth() {
    for shift in 0..<63 {
      for offset: Int64 in [-700, -1, 0, 1, 700] {
        #expect(humanSize((Int64(1) << Int64(shift)) &+ offset).count <= 8)
      }
    }
  }

  @Test(
    "writes rates",
    arguments: [
      (0, "0 B/s"), (-1, "0 B/s"), (.nan, "0 B/s"), (.infinity, "0 B/s"), (128e6, "122 MiB/s"), (1e300, "888 PiB/s"),
    ] as [(Double, String)])
  func rates(rate: Double, text: String) {
    #expect(humanRate(rate) == text)
  }

  @Test(
    "writes durations",
    arguments: [
      (.zero, "0 ms"), (.milliseconds(12), "12 ms"), (.milliseconds(2100), "2.1 s"),
      (.milliseconds(59_960), "1 min 0 s"),
      (.seconds(185), "3 min 5 s"), (.seconds(3720), "1 h 2 min"), (.seconds(-5), "0 ms"),
    ] as [(Duration, String)])
  func durations(duration: Duration, text: String) {
    #expect(humanDuration(duration) == text)
  }

  @Test(
    "writes the time left",
    arguments: [
      (nil, "--:--"), (.seconds(5), "0:05"), (.seconds(754), "12:34"), (.seconds(3723), "1:02:03"),
      (.seconds(359_999), "99:59:59"), (.seconds(360_000), "--:--"),
    ] as [(Duration?, String)])
  func times(duration: Duration?, text: String) {
    #expect(clockTime(duration) == text)
  }

  @Test(
    "cuts by columns, never through a character",
    arguments: [
      ("big.iso", 7, "big.iso"), ("big.iso", 6, "big..."), ("big.iso", 3, "big"), ("big.iso", 0, ""),
      ("日本語.iso", 10, "日本語.iso"), ("日本語.iso", 9, "日本語..."), ("日本語.iso", 8, "日本..."), ("日本", 3, "日"),
      ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"), ("👨‍👩‍👧x", 2, "👨‍👩‍👧"), ("❤️❤️", 3, "❤️"),
    ])
  func cuts(text: String, width: Int, cut: String) {
    #expect(fitted(text, width: width) == cut)
    #expect(displayWidth(cut) <= width)
  }

  @Test(
    "takes secrets out of URLs",
    arguments: [
      ("https://h/p", "https://h/p"), ("https://u:p@h:1/p", "https://h:1/p"), ("https://u@p@h/", "…"),
      ("http://h/a@b", "http://h/a@b"), ("http://h:80/@scope/x", "http://h:80/@scope/x"),
      ("http://[::1]:80/@x", "http://[::1]:80/@x"), ("http://h/?token=abc&x=", "http://h/"),
      ("http://h?abc", "http://h/"),
      ("http://h/#secret", "http://h/"), ("http://h/?a=b?c=d#e", "http://h/"), ("http://h/?a=u@v", "http://h/"),
      ("http:///u:p@h/f", "http://h/f"), ("ftp://u:p@h/f", "ftp://h/f"), ("", ""), ("h/f", "h/f"),
      ("http://h/\u{1B}[2J", "http://h/?[2J"), ("h/f?token=abc", "h/f"), ("h/f#abc", "h/f"),
      // What libcurl cannot take apart may have its secret anywhere.
      ("http://u:pa/ss@h/f", "…"), ("u:p@h/f", "…"), ("http://u:p@a:s/s@h/f", "…"), ("//u:p@h/f", "…"),
      ("http://u:p@h/\u{1B}", "…"), ("file:///etc/passwd", "file:///etc/passwd"),
    ])
  func redacts(url: String, text: String) {
    #expect(redactedURL(url) == text)
  }
}
