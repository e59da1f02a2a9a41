import SheafCore

extension DownloadMachine.Settings {
  init(_ options: DownloadOptions) {
    self.init()
    connections = options.connections
    split = options.split
    minimumSplitSize = options.minimumSplitSize
    retry = RetryPolicy(maximumTries: options.maximumTries, leastWait: options.retryWait / .seconds(1))
    checkpointInterval = options.checkpointInterval / .seconds(1)
    hasDigest = options.checksum != nil
    allowsDowngrade = options.allowsDowngrade
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
      idleTimeout: Int((options.timeout / .seconds(1)).rounded(.up)))
  }
}

extension DownloadOptions {
  /// What the netrc file has for the download, unless something else says who is asking.
  fileprivate func credentials(for location: Location) -> [HeaderField] {
    let isSettled = location.hasUserInformation || headers.contains { $0.name.lowercased() == "authorization" }
    guard !isSettled, let field = netrc?.authorization(for: location.origin.host) else { return [] }
    return [field]
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
