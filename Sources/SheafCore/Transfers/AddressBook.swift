/// The addresses of one host and what is known of each: says which one the next connection should use.
///
/// More than one working address can mean more than one server, each with a line of its own. But nothing is risked for
/// that: until one has answered, and when none is left, the choice is libcurl's, which tries the families side by side.
/// A family that fails while the other works is not used again.
package struct AddressBook: Hashable, Sendable {
  package enum Family: Hashable, Sendable {
    case four, six

    /// The family of a numeric address.
    package init(of address: String) { self = address.utf8.contains(UInt8(ascii: ":")) ? .six : .four }
  }

  private struct Entry: Hashable, Sendable {
    let address: String
    var hasAnswered = false
    var hasFailed = false
    var uses = 0

    var family: Family { Family(of: address) }
  }

  private var entries: [Entry] = []
  /// The user gave the addresses: no others may be used.
  private let isGiven: Bool
  /// The family of the first that answered.
  private var winner: Family?
  /// The address whose answer is the measure for the others'.
  package private(set) var trusted: String?

  /// A book to be filled by `learn`.
  package init() { isGiven = false }

  /// A book of these numeric addresses and no others.
  package init(given addresses: [String]) {
    isGiven = true
    add(addresses)
  }

  /// The host's name leads to these addresses, the preferred ones first.
  package mutating func learn(_ addresses: [String]) {
    if !isGiven { add(addresses) }
  }

  /// A connection to `address` has brought an answer.
  package mutating func answered(_ address: String, wasChosen: Bool) {
    if !entries.contains(where: { $0.address == address }) {
      guard !isGiven else { return }
      add([address])
    }
    update(address) { entry in
      entry.hasAnswered = true
      entry.hasFailed = false
      if !wasChosen { entry.uses += 1 }
    }
    winner = winner ?? Family(of: address)
    trusted = trusted ?? address
  }

  /// Connecting to `address` failed or hung, or it serves something else than the others. Returns whether the same
  /// request should be tried at another address.
  @discardableResult
  package mutating func failed(_ address: String) -> Bool {
    update(address) { $0.hasFailed = true }
    if trusted == address { trusted = entries.first { $0.hasAnswered && !$0.hasFailed }?.address }
    guard working.isEmpty else { return true }
    // Whoever asks next starts afresh.
    if isGiven {
      for index in entries.indices { entries[index].hasFailed = false }
    }
    return false
  }

  /// The address for the next connection; nil leaves it to libcurl.
  package mutating func next() -> String? {
    guard isGiven || (winner != nil && entries.count > 1) else { return nil }
    let choice = working.min { ($0.rank, $0.entry.uses) < ($1.rank, $1.entry.uses) }
    guard let address = choice?.entry.address else { return nil }
    update(address) { $0.uses += 1 }
    return address
  }

  /// The address to ask when a new measure is to be taken; nil if there is no choice to make.
  package var measure: String? { entries.count > 1 ? trusted : nil }

  /// Whether `address` may be connected to; what is left to libcurl always may.
  package func mayUse(_ address: String?) -> Bool {
    guard let address else { return !isGiven }
    return entries.contains { $0.address == address && !$0.hasFailed }
  }

  /// Whether another address is left if this one does not answer: then it is not worth waiting for long.
  package func hasAlternative(to address: String) -> Bool {
    working.contains { $0.entry.address != address }
  }

  /// Those that have not failed, with the rank of their family: the best one is used alone.
  private var working: [(entry: Entry, rank: Int)] {
    entries.filter { !$0.hasFailed }.map { ($0, rank(of: $0.family)) }
  }

  private func rank(of family: Family) -> Int {
    let members = entries.filter { $0.family == family }
    let answers = members.contains { $0.hasAnswered && !$0.hasFailed }
    if answers { return family == winner ? 0 : 1 }
    let isFirst = entries.first?.family == family
    if members.contains(where: \.hasFailed) { return isFirst ? 4 : 5 }
    return isFirst ? 2 : 3
  }

  private mutating func add(_ addresses: [String]) {
    for address in addresses where !entries.contains(where: { $0.address == address }) {
      entries.append(Entry(address: address))
    }
  }

  private mutating func update(_ address: String, _ change: (inout Entry) -> Void) {
    guard let index = entries.firstIndex(where: { $0.address == address }) else { return }
    change(&entries[index])
  }
}
