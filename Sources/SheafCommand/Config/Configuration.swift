#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf
import SheafCore

/// What a command line is read on top of: the defaults, then the configuration file, then for some hosts its profile, then
/// the environment. What the command line itself says, and then the lines of a list, come after all of these.
final class Configuration: Sendable {
  /// Where the configuration file is looked for.
  enum Place: Equatable, Sendable {
    case home
    case file(String)
    case nowhere
  }

  private let file: ConfigFile
  /// The arguments in the environment, then those of the command line.
  let arguments: [String]

  static let empty = Configuration()

  private init() {
    file = ConfigFile()
    arguments = []
  }

  /// Looks at every option of the file, those of profiles as well.
  /// - Parameter name: as messages call the file.
  init(_ file: ConfigFile, name: String, arguments: [String]) throws(UsageError) {
    self.file = file
    self.arguments = arguments
    do throws(ListProblem) {
      var scratch = CommandOptions()
      try Self.apply(file.settings, to: &scratch)
      for profile in file.profiles {
        var scratch = CommandOptions()
        try Self.apply(profile.settings, isProfile: true, to: &scratch)
      }
    } catch {
      throw UsageError("\(name):\(error.line): \(error.message)", suggestion: error.suggestion)
    }
  }

  /// What the command line's options are added to.
  func base() throws(UsageError) -> CommandOptions {
    var options = CommandOptions()
    do throws(ListProblem) {
      try Self.apply(file.settings, to: &options)
    } catch {
      throw UsageError(error.message, suggestion: error.suggestion)
    }
    return options
  }

  /// The options of a download from the host of `url`: `options`, and where there is a profile for the host, all layers anew
  /// with it among them.
  func profiled(_ options: CommandOptions, for url: String) throws(UsageError) -> CommandOptions {
    guard !file.profiles.isEmpty, let host = (try? Location(ofDownload: url))?.origin.host else { return options }
    let profiles = file.profiles(for: host)
    guard !profiles.isEmpty else { return options }
    var own = try base()
    do throws(ListProblem) {
      for profile in profiles { try Self.apply(profile.settings, isProfile: true, to: &own) }
    } catch {
      throw UsageError(error.message, suggestion: error.suggestion)
    }
    _ = try Self.parser.parse(arguments, into: &own)
    var result = options
    result.directory = own.directory
    result.download = own.download
    result.download.mirrors = options.download.mirrors
    for change in options.preparations { change(&result.download) }
    return result
  }

  private static func apply(
    _ settings: [ConfigFile.Setting], isProfile: Bool = false, to options: inout CommandOptions
  ) throws(ListProblem) {
    for setting in settings {
      do throws(UsageError) {
        guard !notInFiles.contains("--\(setting.name)") else {
          throw UsageError("\(setting.name) has no place in a configuration", suggestion: "give it on the command line")
        }
        let isOfRun = runOptions.contains("--\(setting.name)")
        guard !isProfile || !isOfRun else {
          throw UsageError("\(setting.name) is about the whole run", suggestion: "write it above the first section")
        }
        try parser.apply(setting.text, isInList: false, to: &options)
      } catch {
        throw ListProblem(line: setting.line, error)
      }
    }
  }

  /// About one file, or about the configuration itself.
  static let notInFiles: Set<String> = [
    "--out", "--output", "--mirror", "--checksum", "--gid", "--conf-path", "--no-conf", "--version", "--help",
    "--shard",
  ]

  /// Whoever reads a line with one of these may know a secret.
  static let secrets: Set<String> = [
    "header", "http-passwd", "ftp-passwd", "user", "oauth2-bearer", "cookie", "proxy-user", "all-proxy", "http-proxy",
    "https-proxy", "ftp-proxy", "proxy", "all-proxy-passwd", "http-proxy-passwd", "https-proxy-passwd",
    "ftp-proxy-passwd", "private-key-passwd",
  ]

  private static let parser = ArgumentParser(OptionTable.fetching)
  private static let runOptions = Set(OptionTable.fetching.filter { $0.scope == .run }.flatMap(\.names))
}

extension Configuration {
  /// Reads the file at `place`; an empty one if there is none and nobody asked for one.
  static func file(at place: Place, environment: (String) -> String?) throws(UsageError) -> (ConfigFile, name: String)?
  {
    let path: String
    switch place {
    case .nowhere: return nil
    case .file(let name): path = name
    case .home:
      func directory(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
      guard let config = directory("XDG_CONFIG_HOME") ?? directory("HOME").map({ $0 + "/.config" }) else { return nil }
      path = config + "/sheaf/sheaf.conf"
      guard access(path, F_OK) == 0 else { return nil }
    }
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try SecretFile.read(path) { holdsSecrets($0) }
    } catch {
      throw UsageError("the configuration: \(error.message)", suggestion: error.suggestion ?? "see sheaf help config")
    }
    do throws(ListProblem) {
      return (try ConfigFile(parsing: bytes), printable(path))
    } catch {
      throw UsageError("\(printable(path)):\(error.line): \(error.message)", suggestion: error.suggestion)
    }
  }

  /// Also if it makes no sense, for then nobody knows.
  private static func holdsSecrets(_ bytes: [UInt8]) -> Bool {
    guard let file = try? ConfigFile(parsing: bytes) else { return true }
    return (file.settings + file.profiles.flatMap(\.settings)).contains { secrets.contains(String($0.name)) }
  }
}
