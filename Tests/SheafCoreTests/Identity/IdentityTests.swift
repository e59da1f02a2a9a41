import SheafCore
import Testing

private let one = "Sun, 06 Nov 1994 08:49:37 GMT"
private let two = "Sun, 06 Nov 1994 08:49:38 GMT"

struct IdentityTests {
  @Test(
    "finds no difference between answers that can be the same bytes",
    arguments: [
      (Identity(total: 5, validator: .none), Identity(total: 5, validator: .none)),
      (Identity(total: nil, validator: .none), Identity(total: 5, validator: .none)),
      (Identity(total: 5, validator: .strongTag("\"a\"")), Identity(total: 5, validator: .strongTag("\"a\""))),
      (Identity(total: nil, validator: .strongTag("\"a\"")), Identity(total: 5, validator: .strongTag("\"a\""))),
      (Identity(total: 5, validator: .strongDate(one)), Identity(total: 5, validator: .strongDate(one))),
      (Identity(total: 5, validator: .strongDate(one)), Identity(total: 5, validator: .weak(tag: nil, date: one))),
      (
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: nil)),
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: nil))
      ),
      (
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: one)),
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: one))
      ),
    ])
  func same(first: Identity, second: Identity) {
    #expect(first.difference(from: second) == nil)
    #expect(second.difference(from: first) == nil)
  }

  @Test(
    "says what changed",
    arguments: [
      (
        Identity(total: 8_388_608, validator: .none), Identity(total: 4096, validator: .none),
        "its length changed from 8388608 to 4096 bytes"
      ),
      (
        Identity(total: 5, validator: .strongTag("\"a\"")), Identity(total: 6, validator: .strongTag("\"a\"")),
        "its length changed from 5 to 6 bytes"
      ),
      (
        Identity(total: 5, validator: .strongTag("\"a\"")), Identity(total: 5, validator: .strongTag("\"b\"")),
        "its ETag changed"
      ),
      (
        Identity(total: 5, validator: .strongTag("\"a\"")),
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: nil)), "its ETag changed"
      ),
      (
        Identity(total: 5, validator: .strongTag("\"a\"")), Identity(total: 5, validator: .strongDate(one)),
        "its ETag is gone"
      ),
      (Identity(total: 5, validator: .strongTag("\"a\"")), Identity(total: 5, validator: .none), "its ETag is gone"),
      (
        Identity(total: 5, validator: .none), Identity(total: 5, validator: .strongTag("\"a\"")),
        "it has an ETag now and had none before"
      ),
      (
        Identity(total: 5, validator: .strongDate(one)), Identity(total: 5, validator: .strongDate(two)),
        "its Last-Modified changed"
      ),
      (
        Identity(total: 5, validator: .strongDate(one)), Identity(total: 5, validator: .weak(tag: nil, date: two)),
        "its Last-Modified changed"
      ),
      (
        Identity(total: 5, validator: .strongDate(one)), Identity(total: 5, validator: .none),
        "its Last-Modified is gone"
      ),
      (
        Identity(total: 5, validator: .none), Identity(total: 5, validator: .strongDate(one)),
        "it has a Last-Modified now and had none before"
      ),
      (
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: one)),
        Identity(total: 5, validator: .weak(tag: "W/\"b\"", date: one)), "its ETag changed"
      ),
      (
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: one)),
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: two)), "its Last-Modified changed"
      ),
      (
        Identity(total: 5, validator: .weak(tag: "W/\"a\"", date: one)),
        Identity(total: 5, validator: .weak(tag: nil, date: one)), "its ETag is gone"
      ),
      // Equal to Unicode, other bytes to the server.
      (
        Identity(total: 5, validator: .strongTag("\"\u{E9}\"")),
        Identity(total: 5, validator: .strongTag("\"e\u{301}\"")), "its ETag changed"
      ),
    ])
  func changed(old: Identity, new: Identity, sentence: String) {
    #expect(new.difference(from: old) == sentence)
    #expect(old.difference(from: new) != nil)
  }
}
