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
  }
}

extension TransferSettings {
  init(_ options: DownloadOptions) {
    self.init(
      userAgent: options.userAgent ?? "Sheaf/\(version)",
      privateFields: options.headers,
      certificateAuthorityFile: options.certificateAuthorityFile,
      checksCertificate: options.checksCertificate,
      connectTimeout: Int((options.connectTimeout / .seconds(1)).rounded(.up)),
      idleTimeout: Int((options.timeout / .seconds(1)).rounded(.up)))
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
