import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Serves one seeded file, rightly or wrongly, until it is told to stop.
@main
struct OriginCommand {
  static func main() {
    let options: OriginOptions
    do {
      options = try OriginOptions(arguments: Array(CommandLine.arguments.dropFirst()))
    } catch {
      write("sheaf-origin: \(error); try --help\n", to: STDERR_FILENO)
      exit(2)
    }
    if options.showsHelp {
      write(OriginOptions.help, to: STDOUT_FILENO)
    } else if options.printsMarkdown {
      write(OriginOptions.markdown, to: STDOUT_FILENO)
    } else if options.listsBehaviours {
      write(OriginOptions.list, to: STDOUT_FILENO)
    } else {
      serve(options)
    }
  }

  private static func serve(_ options: OriginOptions) {
    // Blocked before the origin's threads exist, so that they inherit it and the signal waits for sigwait.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    let site: OriginSite
    do {
      site = try OriginSite(access: options.access, port: options.port)
    } catch {
      write("sheaf-origin: \(error)\n", to: STDERR_FILENO)
      exit(1)
    }
    options.serve(on: site.origin)
    write("listening on \(site.url(options.path))\n", to: STDOUT_FILENO)
    if let authority = site.authorityFile { write("trust \(authority)\n", to: STDOUT_FILENO) }
    for (name, value) in site.environment { write("set \(name)=\(value ?? "")\n", to: STDOUT_FILENO) }
    if options.printsDigest { write("sha-256 \(hexadecimal(options.entity.sha256()))\n", to: STDOUT_FILENO) }
    var received: CInt = 0
    sigwait(&signals, &received)
    site.origin.stop()
    if options.printsLog { write(options.summary(of: site.origin.log), to: STDOUT_FILENO) }
  }

  /// Unbuffered, so that a script that waits for the line gets it.
  private static func write(_ text: String, to descriptor: CInt) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
