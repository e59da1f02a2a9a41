import Sheaf

extension OptionTable {
  /// How much may come in a second.
  static let limiting: [Option<CommandOptions>] = [
    Option(
      "--max-download-limit", "--limit-rate", group: .connections,
      help: "At most SIZE bytes a second for each download; 0 for no limit",
      form: .value("SIZE") { argument, options throws(UsageError) in
        options.download.bytesPerSecond = try argument.rate(example: "2M")
      }),
    Option(
      "--max-overall-download-limit", scope: .run, group: .connections,
      help: "At most SIZE bytes a second for all downloads together; 0 for no limit",
      form: .value("SIZE") { argument, options throws(UsageError) in
        options.overallLimit.bytesPerSecond = try argument.rate(example: "10M")
      }),
    Option(
      "--rate-schedule", scope: .run, group: .connections,
      help: "The same by the time of the day; where no time fits, the limit above holds",
      form: .value("HH:MM-HH:MM=SIZE,...") { argument, options throws(UsageError) in
        options.overallLimit.schedule = try argument.rateSchedule()
      }),
  ]
}
