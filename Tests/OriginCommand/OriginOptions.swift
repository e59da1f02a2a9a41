import TestSupport

/// The command line of `sheaf-origin`.
struct OriginOptions {
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var port: UInt16 = 0
  private(set) var printsDigest = false
  private(set) var printsLog = false
  private var usesTLS = false
  private(set) var listsBehaviours = false
  private(set) var printsMarkdown = false
  private(set) var showsHelp = false
  private var size: Int64 = 64 << 20
  private var seed: UInt64 = 1
  private var rate: Int64?
  private var latency = 0.0
  private var named: NamedBehaviour?

  static let help = """
    Usage: sheaf-origin [OPTION]...
    Serves a seeded file at http://127.0.0.1:PORT/file.bin until SIGTERM or SIGINT. What it listens on is printed first;
    behaviours that need a certificate, a proxy or HTTP/2 also print what to trust or to set.

      --port N            listen on this port (default: a free one)
      --size SIZE         bytes of the file, with K, M, G or T for powers of 1024 (default: 64M)
      --seed N            which bytes the file has (default: 1)
      --rate SIZE         at most that many bytes a second on each connection
      --latency MS        milliseconds of silence before each response
      --behaviour NAME    misbehave (default: correct)
      --tls               answer TLS too, with a certificate made for the occasion
      --list              list the behaviours
      --markdown          list them as docs/origin.md does
      --log               at the end print each request: what was asked, answered and sent
      --print-sha256      also print the file's digest; reads through all of it first
      --help              show this

    """

  /// The table of docs/origin.md.
  static var markdown: String {
    let head =
      "| hazard | `--behaviour` | what the origin does | a careful client ends with |\n| --- | --- | --- | --- |\n"
    let rows = NamedBehaviour.all.sorted { $0.hazard < $1.hazard }.map { behaviour in
      let proof = behaviour.needsDigest ? ", given a digest" : ""
      let outcome =
        switch behaviour.outcome {
        case .file: "the file"
        case .failure: "an error"
        case .either: "the file or an error"
        }
      return "| \(behaviour.hazard) | `\(behaviour.name)` | \(behaviour.summary) | \(outcome)\(proof) |\n"
    }
    return head + rows.joined()
  }

  static var list: String {
    let width = NamedBehaviour.all.map(\.name.count).max() ?? 0
    return NamedBehaviour.all.reduce(into: "") { text, behaviour in
      let gap = String(repeating: " ", count: width - behaviour.name.count + 2)
      text += "\(behaviour.hazard)  \(behaviour.name)\(gap)\(behaviour.summary)\n"
    }
  }

  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      // Both `--size 4G` and `--size=4G`.
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = parts[0]
      if parts.count == 1, setFlag(option) { continue }
      guard Self.takesValue.contains(option) else { throw UsageError(description: "unknown option \(argument)") }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw UsageError(description: "\(option) needs a value")
      }
      try set(option, to: value)
    }
  }

  var entity: Entity { Entity(seed: seed, size: named?.size ?? size) }

  var path: String { named?.path ?? Origin.defaultPath }

  var access: NamedBehaviour.Access {
    let access = named?.access ?? .plain
    return usesTLS && access == .plain ? .tls(.none) : access
  }

  func serve(on origin: Origin) {
    var base = Behaviour.correct
    if let rate { base = base.rate(rate) }
    if latency > 0 { base = base.latency(latency) }
    if let named { named.serve(entity, on: origin, over: base) } else { origin.serve(entity, behaviour: base) }
  }

  func summary(of log: OriginLog) -> String {
    let lines = log.requests.map { request in
      "\(request.connection) \(request.method) \(request.request.target) \(request.rangeHeader ?? "-") "
        + "\(request.status.map(String.init) ?? "-") \(request.bodyBytes)\n"
    }
    return lines.joined() + "\(log.requests.count) requests, \(log.bytesSent) bytes\n"
  }

  private static let takesValue: Set = ["--port", "--size", "--seed", "--rate", "--latency", "--behaviour"]

  private mutating func setFlag(_ option: String) -> Bool {
    switch option {
    case "--tls": usesTLS = true
    case "--log": printsLog = true
    case "--list": listsBehaviours = true
    case "--markdown": printsMarkdown = true
    case "--print-sha256": printsDigest = true
    case "--help", "-h": showsHelp = true
    default: return false
    }
    return true
  }

  private mutating func set(_ option: String, to value: String) throws(UsageError) {
    switch option {
    case "--port": port = try Self.require(UInt16(value), option, value, "a port")
    case "--size": size = try Self.require(Self.bytes(value), option, value, "a size")
    case "--seed": seed = try Self.require(UInt64(value), option, value, "a number")
    case "--rate":
      rate = try Self.require(Self.bytes(value).flatMap { $0 > 0 ? $0 : nil }, option, value, "a rate above zero")
    case "--latency":
      latency = Double(try Self.require(UInt32(value), option, value, "a number of milliseconds")) / 1000
    default:
      // Spelled with its type: as an optional of an optional, nil would pass for a value.
      let behaviour: NamedBehaviour = try Self.require(.named(value), option, value, "a behaviour (see --list)")
      named = behaviour
    }
  }

  private static func require<Value>(
    _ parsed: Value?, _ option: String, _ value: String, _ what: String
  ) throws(UsageError) -> Value {
    guard let parsed else { throw UsageError(description: "\(option) \(value): not \(what)") }
    return parsed
  }

  /// A count of bytes with an optional K, M, G or T; nil when it is none or does not fit.
  private static func bytes(_ text: String) -> Int64? {
    let shifts: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = text.last.flatMap { shifts[Character($0.uppercased())] }
    guard let number = Int64(shift == nil ? text[...] : text.dropLast()), number >= 0 else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    return overflow ? nil : product
  }
}
