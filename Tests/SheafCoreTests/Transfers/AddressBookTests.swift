import SheafCore
import Testing

@Suite("AddressBook")
struct AddressBookTests {
  @Test("leaves the first connection to libcurl, then takes turns within the family that answered")
  func turns() {
    var book = AddressBook()
    book.learn(["2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2", "192.0.2.3"])
    let next1 = book.next()
    #expect(next1 == nil)
    book.answered("192.0.2.1", wasChosen: false)
    let next2 = (0..<5).map { _ in book.next() }
    #expect(next2 == ["192.0.2.2", "192.0.2.3", "192.0.2.1", "192.0.2.2", "192.0.2.3"])
  }

  @Test("leaves everything to libcurl while it knows of one address only")
  func single() {
    var book = AddressBook()
    book.answered("192.0.2.1", wasChosen: false)
    book.learn(["192.0.2.1"])
    let next3 = book.next()
    #expect(next3 == nil)
    #expect(book.mayUse(nil))
  }

  @Test("a failed address is not used again; when none is left, libcurl chooses")
  func failures() {
    var book = AddressBook()
    book.learn(["192.0.2.1", "192.0.2.2"])
    book.answered("192.0.2.1", wasChosen: false)
    let isLeft4 = book.failed("192.0.2.2")
    #expect(isLeft4)
    #expect(!book.mayUse("192.0.2.2"))
    let next5 = book.next()
    #expect(next5 == "192.0.2.1")
    let isLeft6 = book.failed("192.0.2.1")
    #expect(!isLeft6)
    let next7 = book.next()
    #expect(next7 == nil)
  }

  @Test("the other family is used when none of the winning one is left")
  func otherFamily() {
    var book = AddressBook()
    book.learn(["2001:db8::1", "192.0.2.1"])
    book.answered("2001:db8::1", wasChosen: false)
    book.failed("2001:db8::1")
    let next8 = book.next()
    #expect(next8 == "192.0.2.1")
  }

  @Test("given addresses are used from the start, and nothing else ever")
  func given() {
    var book = AddressBook(given: ["192.0.2.1", "192.0.2.2"])
    book.learn(["192.0.2.9"])
    #expect(!book.mayUse(nil))
    let next9 = [book.next(), book.next(), book.next()]
    #expect(next9 == ["192.0.2.1", "192.0.2.2", "192.0.2.1"])
    let isLeft10 = book.failed("192.0.2.1")
    #expect(isLeft10)
    let isLeft11 = book.failed("192.0.2.2")
    #expect(!isLeft11)
    // All failed: the failure is reported, and the next try begins afresh.
    let next12 = book.next()
    #expect(next12 != nil)
  }

  @Test("a family that failed is dropped as a whole once the other one answers or may")
  func brokenFamily() {
    var book = AddressBook(given: ["2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2"])
    let next13 = book.next()
    #expect(next13 == "2001:db8::1")
    let isLeft14 = book.failed("2001:db8::1")
    #expect(isLeft14)
    let next15 = book.next()
    #expect(next15 == "192.0.2.1")
    book.answered("192.0.2.1", wasChosen: true)
    let next16 = [book.next(), book.next(), book.next()]
    #expect(next16 == ["192.0.2.2", "192.0.2.1", "192.0.2.2"])
  }

  @Test("the first that answered is the measure, while it works")
  func trust() {
    var book = AddressBook(given: ["192.0.2.1", "192.0.2.2"])
    book.answered("192.0.2.2", wasChosen: true)
    book.answered("192.0.2.1", wasChosen: true)
    #expect(book.trusted == "192.0.2.2")
    book.failed("192.0.2.2")
    #expect(book.trusted == "192.0.2.1")
  }

  @Test(
    "reads curl's form",
    arguments: [
      ("example.org:443:192.0.2.1", "example.org", 443, ["192.0.2.1"]),
      ("EXAMPLE.org:80:192.0.2.1,2001:db8::1", "example.org", 80, ["192.0.2.1", "2001:db8::1"]),
      ("a:1:[2001:db8::1],127.0.0.1", "a", 1, ["2001:db8::1", "127.0.0.1"]),
      ("[::1]:8080:127.0.0.1", "::1", 8080, ["127.0.0.1"]),
    ])
  func reads(text: String, host: String, port: Int, addresses: [String]) throws {
    let entry = try #require(ResolveEntry(text))
    #expect(entry.host == host)
    #expect(entry.port == port)
    #expect(entry.addresses == addresses)
  }

  @Test(
    "refuses everything else",
    arguments: [
      "", "a", "a:1", "a:1:", ":1:127.0.0.1", "a:0:127.0.0.1", "a:65536:127.0.0.1", "a:x:127.0.0.1", "a:+1:127.0.0.1",
      "-a:1", "*:1:127.0.0.1", "a:1:127.0.0.1,", "a:1:b", "a:1:127.0.0", "a:1:256.0.0.1", "a:1:127.0.0.1:2",
      "[::1:1:127.0.0.1",
    ])
  func refuses(text: String) {
    #expect(ResolveEntry(text) == nil)
  }
}
