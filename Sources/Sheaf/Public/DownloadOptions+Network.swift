import SheafCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DownloadOptions {
  /// Somebody else than this machine's resolver says where connections lead.
  var leavesAddresses: Bool { proxy.isInUse || !addresses.connectTo.isEmpty }

  /// There is something that only the server of the download's URL may see.
  package var hasSecrets: Bool {
    !headers.isEmpty || authentication.name != nil || authentication.bearerToken != nil || cookie != nil
      || tls.certificate != nil
  }

  /// The same for another server than the one that the secrets are for.
  var withoutSecrets: DownloadOptions {
    var options = self
    options.headers = []
    options.authentication = Authentication()
    options.cookie = nil
    options.referer = nil
    options.tls.certificate = nil
    options.tls.key = nil
    return options
  }

  /// - Throws: a usage failure, which repeats nothing secret, for values about the network that cannot be obeyed.
  func checkNetwork() throws(Failure) {
    guard bytesPerSecond ?? 1 >= 1 else { throw Failure(.usage, "the limit must be at least 1 byte per second") }
    guard minimumSpeed ?? 1 >= 1, minimumSpeedPeriod > .zero, maximumTime.map({ $0 > .zero }) ?? true else {
      throw Failure(.usage, "the least speed and the times that it and all of it may take must be more than nothing")
    }
    guard !replacesOlder || overwrites else {
      throw Failure(
        .usage, "a file is to be replaced if it is older, and must not be overwritten",
        suggestion: "add --allow-overwrite")
    }
    try checkTexts()
    guard !proxy.hasNonsense else {
      throw Failure(
        .usage, "a proxy is no URL of a proxy",
        suggestion: "write http://HOST:PORT, or https, socks4, socks4a, socks5 or socks5h")
    }
    try checkAddresses()
    for (path, what) in [(tls.certificate, "the certificate"), (tls.key, "the key")] {
      guard let path, access(path, R_OK) != 0 else { continue }
      throw Failure(.usage, "\(what) \(printable(path)) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard tls.key == nil || tls.certificate != nil else {
      throw Failure(.usage, "a key without a certificate", suggestion: "give the certificate that it belongs to, too")
    }
  }

  private func checkAddresses() throws(Failure) {
    for entry in addresses.connectTo where !Self.isConnectTo(entry) {
      throw Failure(
        .usage, "'\(printable(entry))' does not say where to connect to instead",
        suggestion: "write HOST1:PORT1:HOST2:PORT2")
    }
    if let url = addresses.dohURL {
      guard let location = Location(url), location.origin.scheme == "https" else {
        throw Failure(.usage, "the server for names needs an https URL", suggestion: "try https://HOST/dns-query")
      }
    }
    guard resolve.isEmpty || !(proxy.isGiven || !addresses.connectTo.isEmpty) else {
      throw Failure(
        .usage, "addresses for a host that is not connected to",
        suggestion: "do without --resolve, or without the proxy and --connect-to")
    }
    for entry in resolve.compactMap({ ResolveEntry($0) }) where !entry.addresses.contains(where: addresses.allows) {
      throw Failure(.usage, "none of the addresses for \(printable(entry.host)) is of the family that is asked for")
    }
  }

  /// None of them may hold more than one line.
  private func checkTexts() throws(Failure) {
    let texts = [
      (referer, "the referer"), (cookie, "the cookie"), (authentication.name, "the user's name"),
      (authentication.password, "the password"),
      (authentication.bearerToken, "the token"), (proxy.exceptions, "the list of hosts without a proxy"),
      (addresses.interface, "the interface"), (tls.pinnedPublicKey, "the public key"),
    ]
    for (text, what) in texts where text?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) == true {
      throw Failure(.usage, "\(what) must not contain control characters")
    }
    guard authentication.name?.contains(":") != true else {
      throw Failure(.usage, "the user's name must not contain a colon")
    }
  }

  /// `HOST1:PORT1:HOST2:PORT2`, with IPv6 addresses in brackets.
  private static func isConnectTo(_ text: String) -> Bool {
    var fields = [""]
    var isBracketed = false
    for character in text {
      switch character {
      case "[": isBracketed = true
      case "]": isBracketed = false
      default: break
      }
      if character == ":", !isBracketed { fields.append("") } else { fields[fields.count - 1].append(character) }
    }
    return fields.count == 4 && !isBracketed
      && [fields[1], fields[3]].allSatisfy { port in
        port.isEmpty || (port.allSatisfy { $0.isASCII && $0.isNumber } && (1...65535).contains(Int(port) ?? 0))
      }
      && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  }
}

extension AddressOptions {
  /// Whether this numeric address may be connected to.
  func allows(_ address: String) -> Bool {
    switch family {
    case nil: true
    case .ipv4: AddressBook.Family(of: address) == .four
    case .ipv6: AddressBook.Family(of: address) == .six
    }
  }
}
