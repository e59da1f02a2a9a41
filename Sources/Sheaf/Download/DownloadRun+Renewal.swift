import SheafCore

/// Another URL, or credentials, from the program that uses the library.
extension DownloadRun {
  func renew(_ source: Int, _ status: Int) {
    guard machine.sources.indices.contains(source) else { return }
    let old = machine.sources[source].original
    let (hooks, challenge) = (options.hooks, challenge)
    Task {
      var location: Location?
      if status == 401, let authenticate = hooks.authenticate {
        if let credentials = await authenticate(.init(url: old.redacted, fields: challenge)) {
          // What is sent is sent to the origin of the download's own URL alone.
          if source == 0 || old.origin == machine.sources[0].original.origin {
            replaceFields(
              with: settings.privateFields.filter { $0.name.lowercased() != "authorization" } + [credentials.field])
          }
          location = old
        }
      } else if let link = await hooks.refresh?(.init(url: old.url, status: status)) {
        location = take(link, instead: old, source)
      }
      handle(machine.renewed(source, status: status, to: location, now: .now))
      consultBudget()
    }
  }

  private func take(_ link: DownloadHooks.FreshLink, instead old: Location, _ source: Int) -> Location? {
    do throws(Failure) {
      let location = try Location(ofDownload: link.url)
      for field in link.headers ?? [] { try field.check() }
      if source == 0 {
        let kept = location.origin == old.origin ? settings.privateFields : []
        replaceFields(with: link.headers ?? kept)
      }
      return location
    } catch {
      channel.send(.warning("the new link cannot be used: \(error.message)"))
      return nil
    }
  }

  private func replaceFields(with fields: [HeaderField]) { settings.privateFields = fields }
}

extension DownloadHooks {
  /// Statuses that one of the hooks may mend.
  var renewable: Set<Int> {
    let refreshable: Set<Int> = refresh == nil ? [] : [400, 401, 403, 404, 410]
    return refreshable.union(authenticate == nil ? [] : [401])
  }
}

extension DownloadHooks.Credentials {
  var field: HeaderField {
    switch self {
    case .password(let name, let password):
      HeaderField(name: "Authorization", value: Login(name: name, password: password).fieldValue)
    case .bearer(let token):
      HeaderField(name: "Authorization", value: "Bearer \(token)")
    }
  }
}
