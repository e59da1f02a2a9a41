import Sheaf

extension OptionTable {
  /// What the file is like in the end, and when it is given up.
  static let finishing: [Option<CommandOptions>] = [
    Option(
      "--content-disposition", "--remote-header-name", group: .file,
      help: "Without -o: ask the server for the name, with a request of its own",
      form: .toggle { value, options in options.download.naming = value ? .server : .url }),
    Option(
      "-R", "--remote-time", group: .file, help: "Give the file the server's time of modification",
      form: .toggle { value, options in options.download.keepsServerTime = value }),
    Option(
      "-N", "--conditional-get", "--timestamping", group: .file,
      help: "Replace an existing file only by a newer one; with --allow-overwrite",
      form: .toggle { value, options in options.download.replacesOlder = value }),
    Option(
      "--file-allocation", group: .file,
      help: "Reserve no space (none or trunc, the default), or all (prealloc or falloc)",
      form: .value("HOW") { argument, options throws(UsageError) in
        options.download.allocation = try argument.choice(FileAllocation.self).meaning
      }),
    Option(
      "--lowest-speed-limit", "--speed-limit", group: .failures,
      help: "Fail if fewer than SIZE bytes a second come for the time of --speed-time",
      form: .value("SIZE") { argument, options throws(UsageError) in
        options.download.minimumSpeed = try argument.rate(example: "10K")
      }),
    Option(
      "--speed-time", group: .failures, help: "How long it may be slower than that (default 30)",
      form: .value("SECONDS") { argument, options throws(UsageError) in
        options.download.minimumSpeedPeriod = try argument.seconds(atLeast: .milliseconds(1), example: "30")
      }),
    Option(
      "--max-time", group: .failures, help: "Stop fetching a file after this long; the same command continues",
      form: .value("SECONDS") { argument, options throws(UsageError) in
        options.download.maximumTime = try argument.seconds(atLeast: .milliseconds(1), example: "3600")
      }),
  ]
}

/// aria2's words for what is taken of the disk at the start.
enum FileAllocation: String, CaseIterable {
  case none, trunc, prealloc, falloc

  var meaning: Allocation {
    switch self {
    case .none, .trunc: .sparse
    case .prealloc, .falloc: .reserved
    }
  }
}
