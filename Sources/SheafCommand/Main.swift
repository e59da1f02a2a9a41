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
    case .fetch(let options): Fetch.run(options)
    }
  }

  private static func invocation() -> Invocation {
    do {
      return try Invocation(parsing: Array(CommandLine.arguments.dropFirst()))
    } catch {
      leave(error)
    }
  }

  private static func printed(_ text: String) -> ExitStatus {
    DescriptorOutput.standardOutput.write(text) == nil ? .ok : .fileIO
  }
}
