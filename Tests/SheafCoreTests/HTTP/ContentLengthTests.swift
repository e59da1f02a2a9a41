import SheafCore
import Testing

struct ContentLengthTests {
  @Test(
    "believes one number, however often it is repeated",
    arguments: [
      (head(200), .absent),
      (head(200, "Content-Length: 5"), .bytes(5)),
      (head(200, "content-length:\t0 "), .bytes(0)),
      (head(200, "Content-Length: 5", "Content-Length: 5"), .bytes(5)),
      (head(200, "Content-Length: 5, 5"), .bytes(5)),
      (head(200, "Content-Length: 9223372036854775807"), .bytes(.max)),
      (head(200, "Content-Length: 5", "Content-Length: 6"), .invalid),
      (head(200, "Content-Length: 5, 6"), .invalid),
      (head(200, "Content-Length: 5,"), .invalid),
      (head(200, "Content-Length: 5", "Content-Length: x"), .invalid),
      (head(200, "Content-Length: 9223372036854775808"), .invalid),
      (head(200, "Content-Length: 18446744073709551621"), .invalid),
      (head(200, "Content-Length: -5"), .invalid),
      (head(200, "Content-Length: +5"), .invalid),
      (head(200, "Content-Length: 5 6"), .invalid),
      (head(200, "Content-Length: 0x5"), .invalid),
      (head(200, "Content-Length: 5.0"), .invalid),
      (head(200, "Content-Length: many"), .invalid),
      (head(200, "Content-Length:"), .invalid),
      (head(200, "Content-Length: ５"), .invalid),
    ] as [(ResponseHead, ContentLength)])
  func lengths(head: ResponseHead, expected: ContentLength) {
    #expect(contentLength(of: head) == expected)
  }
}
