import SheafCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Asks the system for all addresses of a host, on a thread of its own, for that may take as long as it likes.
actor NameResolver {
  nonisolated private let thread = SerialThread(name: "sheaf-names")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// What was found lately: many small files tend to have one host.
  private var known: [String: (addresses: [String], until: Instant)] = [:]

  private static let secondsKept = 60.0
  private static let mostKept = 1000

  /// Ends the thread after what it was asked for.
  nonisolated func end() { thread.stop() }

  /// The numeric addresses of `host`, the preferred ones first; none if it has none or they cannot be found.
  func addresses(of host: String) -> [String] {
    let now = Instant.now
    if let entry = known[host], entry.until > now { return entry.addresses }
    if known.count >= Self.mostKept { known = [:] }
    let found = Self.lookUp(host)
    known[host] = (found, now.advanced(bySeconds: Self.secondsKept))
    return found
  }

  private static func lookUp(_ host: String) -> [String] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var addresses: [String] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      var text: [CChar] = Array(repeating: 0, count: Int(NI_MAXHOST))
      let status = getnameinfo(
        entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      guard status == 0 else { continue }
      let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // libcurl would need a scope's number for such an address.
      if !address.contains("%") && !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }
}

/// Whether the environment names a proxy for the web: then it is the proxy that looks names up.
func environmentNamesProxy() -> Bool {
  let names: [String] = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
  return names.contains { name in
    guard let value = getenv(name) else { return false }
    return value.pointee != 0
  }
}
