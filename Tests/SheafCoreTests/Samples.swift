import SheafCore

let mebibyte: Int64 = 1 << 20

extension Identity {
  static func strong(_ total: Int64?, tag: String = "\"one\"") -> Identity {
    Identity(total: total, validator: .strongTag(tag))
  }

  static func weak(_ total: Int64?) -> Identity {
    Identity(total: total, validator: .weak(tag: "W/\"one\"", date: nil))
  }

  static func bare(_ total: Int64?) -> Identity { Identity(total: total, validator: .none) }
}

extension Location {
  static func at(_ scheme: String, _ host: String, port: Int? = nil, path: String = "/file") -> Location {
    let port = port ?? (scheme == "https" ? 443 : 80)
    return Location(url: "\(scheme)://\(host):\(port)\(path)", origin: .init(scheme: scheme, host: host, port: port))
  }

  static let original = at("https", "origin.example")
  static let mirror = at("https", "mirror.example", path: "/signed?key=1")
}

extension DownloadMachine.Settings {
  init(
    connections: Int = 16, split: Int? = nil, tries: Int = 5, leastWait: Double = 0, digest: Bool = false,
    minimumSplitSize: Int64 = 1 << 20
  ) {
    self.init()
    self.connections = connections
    self.split = split
    self.minimumSplitSize = minimumSplitSize
    retry = RetryPolicy(maximumTries: tries, leastWait: leastWait)
    hasDigest = digest
  }
}

extension DownloadMachine.Resumed {
  /// A file of `total` bytes whose blocks in `present` are there.
  init(_ identity: Identity, total: Int64, present: some Sequence<Int>) {
    let map = BlockMap(total: total)
    var complete = Bitmap(count: map.count)
    for index in present { complete[index] = true }
    self.init(identity: identity, blocks: map, complete: complete)
  }
}

extension Failure.Kind {
  /// For stories that do not care about the rest of a failure.
  var sample: Failure { Failure(self, "something happened") }
}
