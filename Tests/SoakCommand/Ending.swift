import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How a run of the command ended, and what it left behind.
struct Ending: Sendable {
  /// Nil when it had to be killed.
  let status: ExitStatus?
  let output: String
  let errors: String
  /// What is in the directory after it.
  let names: [String]
  let directory: String

  init(of process: ChildProcess, in directory: String, within seconds: Double = 60, besides others: [String] = []) {
    let hasEnded = process.hasEnded(within: seconds)
    if !hasEnded { process.kill(SIGKILL) }
    let status = process.wait()
    self.status = hasEnded ? status : nil
    output = process.text(of: .output)
    errors = process.text(of: .errors)
    self.directory = directory
    names = TemporaryDirectory.names(in: directory).filter { !others.contains($0) }
  }

  var succeeded: Bool { status == .exited(0) }

  /// The number of an ordinary exit.
  var number: CInt? {
    if case .exited(let number)? = status { number } else { nil }
  }

  /// Whether one of these versions has the final name, whole.
  func holds(oneOf versions: [Entity], named name: String = "file.bin") -> Bool {
    names.contains(name) && versions.contains { $0.matches(fileAt: "\(directory)/\(name)") }
  }

  /// What everything that Sheaf does must keep, and what status 0 means: one of these versions, and nothing else left.
  /// `old` is what had the final name before.
  func complaints(versions: [Entity], named name: String = "file.bin", old: Entity? = nil) -> [String] {
    guard let status else { return ["did not end: \(errors.suffix(300))"] }
    var complaints: [String] = []
    let difference =
      versions.contains { $0.matches(fileAt: "\(directory)/\(name)") }
      ? nil : versions[0].difference(fromFileAt: "\(directory)/\(name)")
    switch status {
    case .signalled(let signal): complaints.append("died of signal \(signal): \(errors.suffix(600))")
    case .exited(0):
      if let difference { complaints.append("status 0, but \(difference)") }
      if names != [name] { complaints.append("status 0, and these files: \(names)") }
    case .exited:
      if let old {
        if let change = old.difference(fromFileAt: "\(directory)/\(name)") {
          complaints.append("no status 0, and the old file is gone: \(change)")
        }
      } else if names.contains(name) {
        complaints.append("no status 0, but \(name) is there: \(difference ?? "whole")")
      }
    }
    let allowed = [name, "\(name).part", "\(name).sheaf"]
    let strange = names.filter { !allowed.contains($0) }
    if !strange.isEmpty { complaints.append("made \(strange)") }
    if (output + errors).unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" && $0 != "\t" || $0.value == 127 }
    ) {
      complaints.append("printed control characters")
    }
    return complaints
  }

  /// An error is one line.
  var errorLineComplaints: [String] {
    let lines = errors.split(separator: "\n")
    return lines.count == 1 && lines[0].hasPrefix("sheaf: error: ") ? [] : ["not one line of error: \(errors)"]
  }
}
