/// What is remembered of servers, so that the next download asks the better mirrors first.
///
/// Times are seconds since 1970. `docs/servers.md` has the format of its text.
package struct ServerStatistics: Hashable, Sendable {
  /// One server, known by scheme, host and port.
  package struct Entry: Hashable, Sendable {
    /// Bytes per second of one of its connections, an average that forgets.
    package fileprivate(set) var rate: Int64?
    /// When it last served until a download's end.
    package fileprivate(set) var succeeded: Int64?
    /// When it was last dropped.
    package fileprivate(set) var failed: Int64?

    /// When it was last heard of.
    fileprivate var latest: Int64 { max(succeeded ?? .min, failed ?? .min) }

    /// What lies in the future comes from another clock.
    fileprivate func isCurrent(_ now: Int64) -> Bool { (now - ServerStatistics.lifetime...now).contains(latest) }

    fileprivate func isFailing(_ now: Int64) -> Bool {
      guard let failed, failed > succeeded ?? .min else { return false }
      return now - failed < ServerStatistics.patience
    }
  }

  package private(set) var entries: [Location.Origin: Entry] = [:]

  /// Seconds for which an entry counts.
  package static let lifetime: Int64 = 7 * 86_400
  /// Seconds for which a server that failed is asked last.
  package static let patience: Int64 = 3_600
  package static let mostEntries = 1_000
  /// By this factor one must be faster to be asked before another that the user named first.
  package static let clearly: Int64 = 2

  package init() {}

  // MARK: - What happens

  /// The server served until the end.
  /// - Parameter rate: bytes per second of one of its connections, if that is known.
  package mutating func succeeded(_ server: Location.Origin, rate: Double?, now: Int64) {
    var entry = current(server, now) ?? Entry()
    if let rate = rate.flatMap({ Int64(exactly: $0.rounded()) }), (1...Self.fastest).contains(rate) {
      entry.rate = entry.rate.map { ($0 + rate) / 2 } ?? rate
    }
    entry.succeeded = now
    keep(entry, of: server)
  }

  /// Nothing more was asked of the server, for what it sent or did not send.
  package mutating func failed(_ server: Location.Origin, now: Int64) {
    var entry = current(server, now) ?? Entry()
    entry.failed = now
    keep(entry, of: server)
  }

  private func current(_ server: Location.Origin, _ now: Int64) -> Entry? {
    entries[server].flatMap { $0.isCurrent(now) ? $0 : nil }
  }

  private mutating func keep(_ entry: Entry, of server: Location.Origin) {
    entries[server] = entry
    guard entries.count > Self.mostEntries, let oldest = entries.min(by: { $0.value.latest < $1.value.latest })
    else { return }
    entries[oldest.key] = nil
  }

  // MARK: - What follows from it

  /// The places of `servers`, which are as the user named them, in the order in which they should be asked.
  ///
  /// Those that failed not long ago come last; of the others those that are clearly faster come before those that are
  /// known to be slower. One of which nothing is known keeps its place.
  package func ranked(_ servers: [Location.Origin], now: Int64) -> [Int] {
    let known = servers.map { current($0, now) }
    let (failing, others) = (
      servers.indices.filter { known[$0]?.isFailing(now) == true },
      servers.indices.filter { known[$0]?.isFailing(now) != true }
    )
    var fast: [(place: Int, rate: Int64)] = []
    for place in others {
      guard let rate = known[place]?.rate else { continue }
      let slower = fast.reversed().prefix { $0.rate <= rate / Self.clearly }.count
      fast.insert((place, rate), at: fast.count - slower)
    }
    var sorted = fast.map(\.place)[...]
    return others.map { known[$0]?.rate == nil ? $0 : sorted.removeFirst() } + failing
  }

  // MARK: - As text

  private static let heading = "sheaf-servers 1"
  /// Bytes per second; more is nonsense.
  private static let fastest: Int64 = 1 << 50
  private static let longestHost = 255
  private static let tab = UInt8(ascii: "\t")
  private static let none = "-"

  /// The text that `init(parsing:now:)` reads, the newest entry first.
  package var text: String {
    func field(_ number: Int64?) -> String { number.map { "\($0)" } ?? Self.none }
    let lines = entries.map { server, entry in
      let numbers = [entry.rate, entry.succeeded, entry.failed].map(field).joined(separator: "\t")
      return (latest: entry.latest, text: "\(server.scheme)\t\(server.host)\t\(server.port)\t\(numbers)")
    }
    .sorted { ($1.latest, $0.text) < ($0.latest, $1.text) }
    return ([Self.heading] + lines.map(\.text)).joined(separator: "\n") + "\n"
  }

  /// What a text says; nil if it is of another kind or version. Lines that make no sense or have expired are left out.
  package init?(parsing bytes: some Collection<UInt8>, now: Int64) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: Self.mostEntries + 1)
    guard let first = lines.first, first.elementsEqual(Self.heading.utf8) else { return nil }
    for line in lines.dropFirst().prefix(Self.mostEntries) {
      guard let (server, entry) = Self.parse(line), entry.isCurrent(now) else { continue }
      entries[server] = entry
    }
  }

  private static func parse(_ line: some Collection<UInt8>) -> (Location.Origin, Entry)? {
    let fields = line.split(separator: tab, omittingEmptySubsequences: false)
    guard fields.count == 6, let port = decimal(fields[2]), (1...65_535).contains(port) else { return nil }
    let (scheme, host) = (String(decoding: fields[0], as: UTF8.self), fields[1])
    // Printable ASCII, and nothing that libcurl would write otherwise.
    guard scheme == "http" || scheme == "https", (1...longestHost).contains(host.count),
      host.allSatisfy({ (0x21...0x7E).contains($0) && lowercased($0) == $0 })
    else { return nil }
    var numbers: [Int64?] = []
    for field in fields[3...] {
      let number = decimal(field)
      guard number != nil || field.elementsEqual(none.utf8) else { return nil }
      numbers.append(number)
    }
    guard numbers[0].map({ (1...fastest).contains($0) }) ?? true else { return nil }
    let entry = Entry(rate: numbers[0], succeeded: numbers[1], failed: numbers[2])
    return (Location.Origin(scheme: scheme, host: String(decoding: host, as: UTF8.self), port: Int(port)), entry)
  }
}
