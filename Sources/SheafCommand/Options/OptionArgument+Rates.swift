import SheafCore

extension OptionArgument {
  /// Bytes per second as a size; nil for 0, which is no limit.
  func rate(example: String) throws(UsageError) -> Int64? {
    text == "0" ? nil : try size(example: example)
  }

  /// Rates for times of the day.
  func rateSchedule() throws(UsageError) -> RateSchedule {
    do throws(RateSchedule.Problem) {
      return try RateSchedule(parsing: text) { size in
        let argument = OptionArgument(option: option, text: String(size))
        return argument.text == "0" ? 0 : try? argument.size(example: "1M")
      }
    } catch {
      throw UsageError("\(option): \(error.message)", suggestion: "try \(option)=08:00-18:00=1M,18:00-23:00=10M")
    }
  }
}
