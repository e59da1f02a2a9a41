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
    renewable = options.hooks.renewable
  }
}

extension TransferSettings {
  init(_ options: DownloadOptions, for location: Location) {
    self.init(
      userAgent: options.userAgent ?? "Sheaf/\(version)",
      privateFields: options.headers + options.credentials(for: location),
      certificateAuthorityFile: options.certificateAuthorityFile,
      checksCertificate: options.checksCertificate,
      connectTimeout: Int((options.connectTimeout / .seconds(1)).rounded(.up)),
      allowsConnection: options.hooks.allowsConnection,
      idleTimeout: Int((options.timeout / .seconds(1)).rounded(.up)))
  }
}

extension DownloadOptions {
  /// What says who is asking (RFC 7617), unless a field of the user's does: the URL, else the netrc file.
  ///
  /// As a field it stays with its origin, also where a redirect leads to another URL there. libcurl leaves the URL's own
  /// user information alone beside it.
  fileprivate func credentials(for location: Location) -> [HeaderField] {
    guard !headers.contains(where: { $0.name.lowercased() == "authorization" }),
      let login = location.login ?? netrc?.login(for: location.origin.host)
    else { return [] }
    return [HeaderField(name: "Authorization", value: login.fieldValue)]
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
