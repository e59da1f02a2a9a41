/// What is on a simulated disk at one moment: files and directories by number, and names in the directories.
struct DiskImage: Sendable {
  struct File: Sendable {
    var content = FileContent()
    var mode: UInt32 = 0o600
    var attributes: [String: [UInt8]] = [:]
    /// The number of the last change of content.
    var modified = 0
    var owner: UInt32
  }

  static let root = 1

  var files: [Int: File] = [:]
  var directories: [Int: [String: Int]] = [root: [:]]
  var nextNumber = root + 1

  /// The directory or file that a path leads to.
  func number(at path: String) -> Int? {
    var number = Self.root
    for part in path.split(separator: "/") where part != "." {
      guard let next = directories[number]?[String(part)] else { return nil }
      number = next
    }
    return number
  }

  func file(at path: String) -> File? { number(at: path).flatMap { files[$0] } }

  func nameCount(of number: Int) -> Int {
    directories.values.reduce(0) { $0 + $1.values.count { $0 == number } }
  }

  /// The file's content under a path, for tests that prepare a disk.
  mutating func add(_ bytes: [UInt8], at name: String, owner: UInt32) {
    var file = File(owner: owner)
    file.mode = 0o644
    file.content.store(Payload(bytes), 0..<bytes.count, at: 0)
    file.content.setSize(bytes.count, isCut: false)
    files[nextNumber] = file
    directories[Self.root]?[name] = nextNumber
    nextNumber += 1
  }

  /// Forgets what no name leads to, as a file system does when it comes back.
  mutating func settle() {
    var reachable: Set<Int> = [Self.root]
    var waiting = [Self.root]
    while let directory = waiting.popLast() {
      for number in (directories[directory] ?? [:]).values where reachable.insert(number).inserted {
        if directories[number] != nil { waiting.append(number) }
      }
    }
    files = files.filter { reachable.contains($0.key) }
    directories = directories.filter { reachable.contains($0.key) }
    for number in files.keys { files[number]?.content.settle() }
  }

  /// Equal for images that no reader can tell apart.
  var fingerprint: Int {
    var hasher = Hasher()
    for (number, names) in directories.sorted(by: { $0.key < $1.key }) {
      hasher.combine(number)
      hasher.combine(names)
    }
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      hasher.combine(number)
      hasher.combine(file.mode)
      hasher.combine(file.attributes)
      hasher.combine(file.modified)
      file.content.hash(into: &hasher)
    }
    return hasher.finalize()
  }
}
