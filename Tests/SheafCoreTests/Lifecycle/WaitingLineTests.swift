import SheafCore
import Testing

@Suite("The line of a queue")
struct WaitingLineTests {
  private func line(_ members: String..., limit: Int = 1) -> WaitingLine<String> {
    var line = WaitingLine<String>(limit: limit)
    for member in members {
      line.add(member, priority: 0)
      line.note(.waiting, of: member)
    }
    return line
  }

  private func order(_ line: WaitingLine<String>) -> [String] {
    var (line, order) = (line, [String]())
    while let next = line.next {
      order.append(next)
      line.remove(next)
    }
    return order
  }

  @Test("runs in order, as many as the limit says")
  func limit() {
    var line = line("a", "b", "c", limit: 2)
    #expect(line.next == "a")
    line.note(.active, of: "a")
    #expect(line.next == "b")
    line.note(.active, of: "b")
    #expect(line.next == nil)
    line.limit = 3
    #expect(line.next == "c")
    line.limit = 1
    line.remove("a")
    #expect(line.next == nil)
    line.remove("b")
    #expect(line.next == "c")
    line.limit = 0
    #expect(line.next == nil)
  }

  @Test("the more important first, in order among equals")
  func priorities() {
    var line = line("a", "b", "c", "d")
    line.setPriority(1, of: "c")
    line.setPriority(-1, of: "a")
    #expect(order(line) == ["c", "b", "d", "a"])
    line.setPriority(-2, of: "b")
    #expect(order(line) == ["c", "d", "a", "b"])
  }

  @Test("insert, move, and places that there are not")
  func places() {
    var line = line("a", "b", "c")
    line.add("x", priority: 0, at: 1)
    line.note(.waiting, of: "x")
    #expect(order(line) == ["a", "x", "b", "c"])
    line.move("c", to: 0)
    #expect(order(line) == ["c", "a", "x", "b"])
    line.move("c", to: 99)
    line.move("b", to: -5)
    #expect(order(line) == ["b", "a", "x", "c"])
    line.move("nobody", to: 0)
    line.add("a", priority: 9, at: 0)
    #expect(order(line) == ["b", "a", "x", "c"])
  }

  @Test("a paused one gives its place away and gets back in line at the end")
  func paused() {
    var line = line("a", "b", "c")
    line.note(.active, of: "a")
    line.note(.idle, of: "a")
    #expect(line.next == "b")
    line.note(.active, of: "b")
    line.note(.waiting, of: "a")
    #expect(line.next == nil)
    line.remove("b")
    #expect(order(line) == ["c", "a"])
  }

  @Test("nobody begins while it is suspended")
  func suspended() {
    var line = line("a")
    line.isSuspended = true
    #expect(line.next == nil)
    line.isSuspended = false
    #expect(line.next == "a")
  }
}
