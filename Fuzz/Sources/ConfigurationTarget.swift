import SheafCore

@testable import SheafCommand

/// F18. A configuration file: a mistake with its line, or options that obey their bounds for any host.
func fuzzConfiguration(_ input: Input) {
  let count = input.rest.count { $0 == 10 } + 1
  do throws(ListProblem) {
    let file = try ConfigFile(parsing: Array(input.rest))
    let all = file.settings + file.profiles.flatMap(\.settings)
    require(all.allSatisfy { (1...count).contains($0.line) && !$0.text.isEmpty }, "a setting nowhere")
    do throws(UsageError) {
      let configuration = try Configuration(file, name: "c", arguments: [])
      _ = try configuration.profiled(try configuration.base(), for: "http://a.example.org/f")
    } catch {
      require(!error.message.unicodeScalars.contains(where: isUnprintable), "an unprintable mistake")
    }
  } catch {
    require((1...count).contains(error.line) && !error.message.isEmpty, "line \(error.line) of \(count)")
  }
}
