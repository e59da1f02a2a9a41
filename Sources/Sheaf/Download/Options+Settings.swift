import SheafCore

extension DownloadMachine.Settings {
  /// - Parameter given: the digest that the user wants the file to have, whichever way it was given.
  init(_ options: DownloadOptions, given: Digest?) {
    self.init()
    connections = options.connections
    split = options.split
    minimumSplitSize = options.minimumSplitSize
    retry = RetryPolicy(maximumTries: options.maximumTries, leastWait: options.retryWait / .seconds(1))
    checkpointInterval = options.checkpointInterval / .seconds(1)
    allowsDowngrade = options.allowsDowngrade
    hasDigest = given != nil || options.pieces != nil
    digestIsRead = given.map { $0.algorithm != .crc32 } ?? false
    mostSources = options.maximumSources
    expectedTotal = options.expectedBytes
    verification =
      switch options.verification {
      case .auto: .auto
      case .require: .require
      case .off: .off
      }
    mostBytes = options.mostBytes
    leastSpeed = options.minimumSpeed
    speedPeriod = options.minimumSpeedPeriod / .seconds(1)
    mostTime = options.maximumTime.map { $0 / .seconds(1) }
    renewable = options.hooks.renewable
  }
}

extension TransferSettings {
  init(_ options: DownloadOptions, limits: [RateLimit] = [], for location: Location) {
    self.init(
      userAgent: options.userAgent ?? "Sheaf/\(version)",
      privateFields: options.headers + options.credentials(for: location) + options.refererField(for: location),
      certificateAuthorityFile: options.certificateAuthorityFile,
      checksCertificate: options.checksCertificate,
      connectTimeout: Int((options.connectTimeout / .seconds(1)).rounded(.up)),
      allowsConnection: options.hooks.allowsConnection,
      idleTimeout: Int((options.timeout / .seconds(1)).rounded(.up)),
      login: options.loginAnswer(for: location), cookie: options.cookie, cookies: options.cookies, proxy: options.proxy,
      tls: options.tls,
      addresses: options.addresses, limits: limits, asksServerTime: options.keepsServerTime)
  }
}

extension DownloadOptions {
  /// What says who is asking, with the first request, unless a field of the user's does.
  ///
  /// As a field it stays with its origin, also where a redirect leads to another URL there. libcurl leaves the URL's own
  /// user information alone beside it.
  fileprivate func credentials(for location: Location) -> [HeaderField] {
    guard !saysWhoByField else { return [] }
    if let token = authentication.bearerToken {
      return [HeaderField(name: "Authorization", value: "Bearer \(token)")]
    }
    guard authentication.scheme == .basic, let login = login(for: location) else { return [] }
    return [HeaderField(name: "Authorization", value: login.fieldValue)]
  }

  /// The login that is shown only when the server has asked, and how.
  fileprivate func loginAnswer(for location: Location) -> LoginAnswer? {
    guard !saysWhoByField, authentication.bearerToken == nil, authentication.scheme != .basic else { return nil }
    return login(for: location).map { LoginAnswer(login: $0, scheme: authentication.scheme) }
  }

  private var saysWhoByField: Bool { headers.contains { $0.name.lowercased() == "authorization" } }

  private func login(for location: Location) -> Login? {
    location.login ?? authentication.name.map { Login(name: $0, password: authentication.password) }
      ?? netrc?.login(for: location.origin.host)
  }

  fileprivate func refererField(for location: Location) -> [HeaderField] {
    guard let referer else { return [] }
    return [HeaderField(name: "Referer", value: referer == "*" ? location.redacted : referer)]
  }
}

extension IdentityStrength {
  init(_ strength: Validator.Strength) {
    self =
      switch strength {
      case .strong: .strong
      case .weak: .weak
      case .none: .none
      }
  }
}
