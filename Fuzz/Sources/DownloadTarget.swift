import SheafCore

/// F10. A whole life of the download machine, with the tests' simulated shell, server, disk and clock; the input
/// throws the dice.
func fuzzDownload(_ input: Input) {
  Dice.input = input
  var simulation = Simulation(seed: 1)
  simulation.run()
  guard let complaint = simulation.complaint else { return }
  // Dice that are all bad can keep a download busy for long; the tests' fair ones show that it ends.
  if !complaint.hasPrefix("does not end") { complain(complaint) }
}
