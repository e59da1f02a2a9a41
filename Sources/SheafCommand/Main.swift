/// Reads the command line and does what it says. Help and version touch nothing else.
@main
enum Main {
  static func main() {
    openMissingStandardStreams()
    switch invocation() {
    case .print(let text): leave(printed(text))
    case .inspect(let options): leave(Inspect.run(options))
    case .verify(let options): leave(Verify.run(options))
    case .repair(let options): Repair.run(options)
    case .status(let options): leave(Status.run(options))
    case .fetch(let options): if options.isDryRun { DryRun.run(options) } else { Fetch.run(options) }
    }
  }

  private static func invocation() -> Invocation {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      guard let dialect = Dialect.ofProcess else { return try Invocation(parsing: arguments, in: .process) }
      return try Invocation(parsing: arguments, in: dialect) { notice in
        DescriptorOutput.standardError.write(line: "sheaf: \(dialect.program.rawValue)'s option \(notice)")
      }
    } catch {
      leave(error)
    }
  }

  private static func printed(_ text: String) -> ExitStatus {
    DescriptorOutput.standardOutput.write(text) == nil ? .ok : .fileIO
  }
}
