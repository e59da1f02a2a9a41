import CCurl
import SheafCore

/// How libcurl gets to the server, and what it shows there.
extension Transfer {
  func prepareConnection(_ settings: TransferSettings, connectTo route: TransferRoute?) throws(CurlFailure) {
    let proxy = settings.proxy
    if let url = proxy.url(for: request.location.origin.scheme) { try handle.set(CURLOPT_PROXY, url) }
    if let exceptions = proxy.exceptions { try handle.set(CURLOPT_NOPROXY, exceptions) }
    try prepareAddresses(settings.addresses, route)
    try prepareTLS(settings)
    if let jar = settings.cookies {
      try handle.use(jar.share)
      // No file: it only has libcurl take part.
      try handle.set(CURLOPT_COOKIEFILE, "")
    }
    if request.carriesPrivateFields, let cookie = settings.cookie { try handle.set(CURLOPT_COOKIE, cookie) }
    guard request.carriesPrivateFields, let answer = settings.login else { return }
    try handle.set(CURLOPT_USERNAME, answer.login.name)
    try handle.set(CURLOPT_PASSWORD, answer.login.password)
    try handle.set(CURLOPT_HTTPAUTH, answer.schemes)
  }

  private func prepareAddresses(_ addresses: AddressOptions, _ route: TransferRoute?) throws(CurlFailure) {
    switch addresses.family {
    case .ipv4: try handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .ipv6: try handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    case nil: break
    }
    if let interface = addresses.interface { try handle.set(CURLOPT_INTERFACE, interface) }
    if let url = addresses.dohURL { try handle.set(CURLOPT_DOH_URL, url) }
    if let route {
      try handle.set(CURLOPT_CONNECT_TO, [route.connectTo])
    } else if !addresses.connectTo.isEmpty {
      try handle.set(CURLOPT_CONNECT_TO, addresses.connectTo)
    }
  }

  private func prepareTLS(_ settings: TransferSettings) throws(CurlFailure) {
    if let path = settings.certificateAuthorityFile {
      try handle.set(CURLOPT_CAINFO, path)
      try handle.set(CURLOPT_PROXY_CAINFO, path)
    }
    if !settings.checksCertificate {
      try handle.set(CURLOPT_SSL_VERIFYPEER, 0)
      try handle.set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    let tls = settings.tls
    if let key = tls.pinnedPublicKey { try handle.set(CURLOPT_PINNEDPUBLICKEY, key) }
    switch tls.minimumVersion {
    case .tls10: try handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_0))
    case .tls11: try handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_1))
    case .tls12: try handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    case .tls13: try handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
    case nil: break
    }
    // It tells who is asking, so it is shown to nobody else.
    guard request.carriesPrivateFields, let certificate = tls.certificate else { return }
    try handle.set(CURLOPT_SSLCERT, certificate)
    if let key = tls.key { try handle.set(CURLOPT_SSLKEY, key) }
  }
}
