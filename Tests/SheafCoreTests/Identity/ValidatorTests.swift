import SheafCore
import Testing

private let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
private let sameSecond = "Date: Sun, 06 Nov 1994 08:49:37 GMT"
private let nextSecond = "Date: Sun, 06 Nov 1994 08:49:38 GMT"
private let secondBefore = "Date: Sun, 06 Nov 1994 08:49:36 GMT"

struct ValidatorTests {
  @Test(
    "takes the strongest that the answer supports",
    arguments: [
      (head(200), .none),
      (head(200, nextSecond), .none),
      (head(200, "ETag: \"a\""), .strongTag("\"a\"")),
      (head(200, "ETag: \"a\"", "Last-Modified: \(modified)", nextSecond), .strongTag("\"a\"")),
      (head(200, "ETag: W/\"a\""), .weak(tag: "W/\"a\"", date: nil)),
      (head(200, "ETag: W/\"a\"", "Last-Modified: \(modified)", nextSecond), .weak(tag: "W/\"a\"", date: modified)),
      (head(200, "Last-Modified: \(modified)", nextSecond), .strongDate(modified)),
      (head(200, "Last-Modified: \(modified)", sameSecond), .weak(tag: nil, date: modified)),
      (head(200, "Last-Modified: \(modified)", secondBefore), .weak(tag: nil, date: modified)),
      (head(200, "Last-Modified: \(modified)"), .weak(tag: nil, date: modified)),
      (head(200, "Last-Modified: \(modified)", "Date: now"), .weak(tag: nil, date: modified)),
      (head(200, "Last-Modified: \(modified)", nextSecond, nextSecond), .weak(tag: nil, date: modified)),
      (head(200, "Last-Modified: long ago", nextSecond), .weak(tag: nil, date: "long ago")),
      (head(200, "Last-Modified: \(modified)", "Last-Modified: \(modified)", nextSecond), .none),
      (head(200, "Last-Modified:", nextSecond), .none),
      (head(200, "Last-Modified: \u{1B}[2J", nextSecond), .none),
      // A malformed or repeated ETag is none, and costs the date its strength.
      (head(200, "ETag: a"), .none),
      (head(200, "ETag: a", "Last-Modified: \(modified)", nextSecond), .weak(tag: nil, date: modified)),
      (head(200, "ETag: \"a\"", "ETag: \"a\""), .none),
      (
        head(200, "ETag: \"a\"", "ETag: \"b\"", "Last-Modified: \(modified)", nextSecond),
        .weak(tag: nil, date: modified)
      ),
      (head(200, "ETag: \"a\", \"b\""), .none),
      (head(200, "ETag:"), .none),
    ] as [(ResponseHead, Validator)])
  func fromHead(head: ResponseHead, expected: Validator) {
    #expect(Validator(head: head) == expected)
  }

  @Test(
    "goes into If-Range only when strong",
    arguments: [
      (.strongTag("\"a\""), .strong, "\"a\""), (.strongDate(modified), .strong, modified),
      (.weak(tag: "W/\"a\"", date: modified), .weak, nil), (.weak(tag: nil, date: modified), .weak, nil),
      (.none, .none, nil), (.strongTag("\"\u{FC}\""), .strong, nil),
    ] as [(Validator, Validator.Strength, String?)])
  func ifRange(validator: Validator, strength: Validator.Strength, ifRange: String?) {
    #expect(validator.strength == strength)
    #expect(validator.ifRange == ifRange)
  }
}
