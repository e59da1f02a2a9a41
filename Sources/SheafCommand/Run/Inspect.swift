/// `sheaf inspect FILE.sheaf`.
enum Inspect {
  // The manifest's reader is not there yet; this is the place where its picture will be printed.
  static func run(_ options: InspectOptions) -> ExitStatus {
    DescriptorOutput.standardError.write(errorLine("manifests cannot be shown yet", "use a later version") + "\n")
    return .unknown
  }
}
