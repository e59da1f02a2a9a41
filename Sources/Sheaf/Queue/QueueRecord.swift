import SheafCore

/// One download of a queue as a line of the queue's file: a JSON object. docs/queues.md describes it.
struct QueueRecord: Hashable, Sendable {
  /// With its secrets, if it has any: without them it could not be fetched.
  var url: String
  /// Absolute.
  var path: String
  var priority: DownloadQueue.Priority
  var isPaused: Bool
  var checksum: Checksum?
  var mirrors: [String]
  var overwrites: Bool

  init(_ download: Download, priority: DownloadQueue.Priority, isPaused: Bool) {
    let order = download.order
    url = order.url
    path = absolute(download.path)
    self.priority = priority
    self.isPaused = isPaused
    checksum = order.options.checksum
    mirrors = order.options.mirrors
    overwrites = order.options.overwrites
  }

  var line: String {
    var members: [(name: String, value: JSON)] = [("url", .string(url)), ("path", .string(path))]
    if priority != .normal { members.append(("priority", .integer(Int64(priority.rawValue)))) }
    if isPaused { members.append(("paused", .bool(true))) }
    if let checksum { members.append(("checksum", .string("\(checksum)"))) }
    if !mirrors.isEmpty { members.append(("mirrors", .array(mirrors.map { .string($0) }))) }
    if overwrites { members.append(("overwrite", .bool(true))) }
    return JSON.object(members).text
  }

  /// - Throws: what is wrong with the line, as a part of a sentence.
  init(parsing line: some Collection<UInt8>) throws(QueueProblem) {
    guard let object = JSON(parsing: line) else { throw QueueProblem("is no JSON object") }
    func read<Value>(_ name: String, _ value: (JSON) -> Value?) throws(QueueProblem) -> Value? {
      guard let member = object[name] else { return nil }
      guard let value = value(member) else { throw QueueProblem("has no usable \(name)") }
      return value
    }
    guard let url = try read("url", \.stringValue), let path = try read("path", \.stringValue),
      path.utf8.first == UInt8(ascii: "/")
    else { throw QueueProblem("has no url, or no absolute path") }
    self.url = url
    self.path = path
    priority = try read("priority") { $0.integerValue.flatMap { .init(rawValue: Int(clamping: $0)) } } ?? .normal
    isPaused = try read("paused", \.boolValue) ?? false
    checksum = try read("checksum") { $0.stringValue.flatMap { try? Checksum(parsing: $0) } }
    mirrors =
      try read("mirrors") { list in
        list.elements.flatMap { elements in
          let mirrors = elements.compactMap(\.stringValue)
          return mirrors.count == elements.count ? mirrors : nil
        }
      } ?? []
    overwrites = try read("overwrite", \.boolValue) ?? false
  }

  func download(_ options: DownloadOptions) throws(DownloadError) -> Download {
    var options = options
    if let checksum { options.checksum = checksum }
    if !mirrors.isEmpty { options.mirrors = mirrors }
    if overwrites { options.overwrites = true }
    return try Download(url, to: .file(path), options: options)
  }
}

/// Why a line of a queue's file cannot be used.
struct QueueProblem: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
