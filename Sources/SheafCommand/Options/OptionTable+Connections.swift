import Sheaf
import SheafCore

extension OptionTable {
  /// How servers are reached, and what they are shown there.
  static let connecting: [Option<CommandOptions>] = proxying + identifying + securing + addressing

  private static let proxying: [Option<CommandOptions>] = [
    Option(
      "--all-proxy", "--proxy", group: .network,
      help: "Go through this proxy (http, https, socks4, socks5, socks5h); empty for none",
      form: .value("URL|@FILE") { argument, options throws(UsageError) in
        options.download.proxy.all = try argument.proxy()
      }),
    Option(
      "--http-proxy", group: .network, help: "The same for http URLs",
      form: .value("URL|@FILE") { argument, options throws(UsageError) in
        options.download.proxy.http = try argument.proxy()
      }),
    Option(
      "--https-proxy", group: .network, help: "The same for https URLs",
      form: .value("URL|@FILE") { argument, options throws(UsageError) in
        options.download.proxy.https = try argument.proxy()
      }),
    Option(
      "--no-proxy", "--noproxy", group: .network, help: "Go to these hosts without a proxy; * for all",
      form: .value("HOST,...") { argument, options in options.download.proxy.exceptions = argument.text }),
  ]

  private static let identifying: [Option<CommandOptions>] = [
    Option(
      "--user", group: .request, help: "Who is asking; only the URL's own server is told",
      form: .value("NAME:PASSWORD|@FILE") { argument, options throws(UsageError) in
        let (name, password) = try argument.user()
        options.download.authentication.name = name
        options.download.authentication.password = password ?? ""
        options.lacksPassword = password == nil
      }),
    Option(
      "--http-user", group: .request, help: "The name alone, which may be empty",
      form: .value("NAME") { argument, options in options.download.authentication.name = argument.text }),
    Option(
      "--http-passwd", group: .request, help: "The password alone",
      form: .value("PASSWORD") { argument, options in
        options.download.authentication.password = argument.text
        options.lacksPassword = false
      }),
    Option(
      "--password-file", scope: .run, group: .request, help: "Read the password from FILE",
      form: .value("FILE") { argument, options throws(UsageError) in
        options.password = .file(try argument.path(example: "password"))
      }),
    Option(
      "--ask-password", scope: .run, group: .request, help: "Ask for the password on the terminal",
      form: .flag { $0.password = .terminal }),
    Option(
      "--auth", group: .request,
      help: "How passwords are shown: basic (default), digest, or any of both",
      form: .value("SCHEME") { argument, options throws(UsageError) in
        options.download.authentication.scheme = try argument.choice(Authentication.Scheme.self)
      }),
    Option(
      "--oauth2-bearer", group: .request, help: "Send this token to the URL's own server",
      form: .value("TOKEN|@FILE") { argument, options throws(UsageError) in
        options.download.authentication.bearerToken = try argument.secret(what: "a token", example: "@token")
      }),
    Option(
      "--load-cookies", scope: .run, group: .request, help: "Start with the cookies of FILE, in the format of Netscape",
      form: .value("FILE") { argument, options throws(UsageError) in
        options.cookies.source = try argument.path(example: "cookies.txt")
      }),
    Option(
      "--save-cookies", "--cookie-jar", scope: .run, group: .request, help: "Write all cookies to FILE in the end",
      form: .value("FILE") { argument, options throws(UsageError) in
        options.cookies.destination = try argument.path(example: "cookies.txt")
      }),
    Option(
      "--cookie", group: .request, help: "Send this cookie to the URL's own server; may be repeated",
      form: .value("NAME=VALUE") { argument, options throws(UsageError) in
        let cookie = try argument.cookie()
        options.download.cookie = options.download.cookie.map { "\($0); \(cookie)" } ?? cookie
      }),
    Option(
      "--referer", group: .request, help: "Send URL as Referer to the URL's own server; * for its own URL",
      form: .value("URL") { argument, options throws(UsageError) in
        options.download.referer = try argument.fieldValue(example: "https://example.org/")
      }),
  ]

  private static let securing: [Option<CommandOptions>] = [
    Option(
      "--certificate", "--cert", group: .request, help: "Show this certificate (PEM) to the URL's own server",
      form: .value("FILE") { argument, options throws(UsageError) in
        options.download.tls.certificate = try argument.path(example: "client.pem")
      }),
    Option(
      "--private-key", "--key", group: .request,
      help: "The key of that certificate (PEM), if it is not in the same file",
      form: .value("FILE") { argument, options throws(UsageError) in
        options.download.tls.key = try argument.path(example: "client.key")
      }),
    Option(
      "--pinnedpubkey", group: .request, help: "Accept no server with another public key than this",
      form: .value("FILE|sha256//HASH") { argument, options throws(UsageError) in
        options.download.tls.pinnedPublicKey = try argument.path(example: "sha256//...")
      }),
    Option(
      "--min-tls-version", group: .request, help: "Accept no older TLS: TLSv1.0, TLSv1.1, TLSv1.2 or TLSv1.3",
      form: .value("VERSION") { argument, options throws(UsageError) in
        options.download.tls.minimumVersion = try argument.choice(TLSOptions.Version.self)
      }),
  ]

  private static let addressing: [Option<CommandOptions>] = [
    Option(
      "-4", "--ipv4", group: .network, help: "Use IPv4 addresses only",
      form: .flag { $0.download.addresses.family = .ipv4 }),
    Option(
      "-6", "--ipv6", group: .network, help: "Use IPv6 addresses only",
      form: .flag { $0.download.addresses.family = .ipv6 }),
    Option(
      "--disable-ipv6", group: .network, help: "As -4",
      form: .toggle { value, options in options.download.addresses.family = value ? .ipv4 : nil }),
    Option(
      "--interface", group: .network, help: "Connect from this interface or address",
      form: .value("NAME|ADDRESS") { argument, options throws(UsageError) in
        options.download.addresses.interface = try argument.path(example: "eth0")
      }),
    Option(
      "--connect-to", group: .network,
      help: "Connect to the second host and port in place of the first; may be repeated",
      form: .value("HOST:PORT:HOST:PORT") { argument, options in
        options.download.addresses.connectTo.append(argument.text)
      }),
    Option(
      "--doh-url", group: .network, help: "Ask this server for addresses, over https",
      form: .value("URL") { argument, options throws(UsageError) in
        options.download.addresses.dohURL = try argument.path(example: "https://dns.example/dns-query")
      }),
  ]
}
