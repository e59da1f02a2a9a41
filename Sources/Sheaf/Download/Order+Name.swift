import SheafCore

extension Download.Order {
  /// The target, when the server and the program have been asked for the name.
  func named() async throws(Failure) -> Target {
    var suggestion = DownloadHooks.SuggestedName(
      name: target.name, url: location.redacted, isSuggestedByServer: false)
    if options.naming == .server {
      let answer = try await probe()
      suggestion = .init(
        name: answer.suggestedName ?? fileName(fromURLPath: answer.location.path), url: answer.location.redacted,
        isSuggestedByServer: answer.suggestedName != nil)
    }
    var name = suggestion.name
    if let hook = options.hooks.name { name = fileName(sanitizing: Array(await hook(suggestion).utf8)) }
    return try Target(.file(Target.path(of: name, in: target.directory)), urlPath: "")
  }

  private func probe() async throws(Failure) -> Probe.Answer {
    let loop: TransferLoop
    do throws(CurlFailure) {
      loop = try Engine.shared.home()
    } catch {
      throw Failure(.unknown, "libcurl cannot start: \(error.message)")
    }
    return try await Probe(
      location, settings: TransferSettings(options, for: location), options: options, loop: loop
    ).ask()
  }
}
