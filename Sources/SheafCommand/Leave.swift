#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf

/// Ends the process. Nothing is buffered, and cleaning up in libraries while their threads still run is how a
/// finished download ends in a crash; so it ends at once.
///
/// Called by another program's name, it ends with the number that this has for the status.
func leave(_ status: ExitStatus) -> Never {
  _exit(Dialect.ofProcess?.number(status) ?? status.rawValue)
}

/// Prints the usage error and ends the process.
func leave(_ error: UsageError) -> Never {
  DescriptorOutput.standardError.write(line: errorLine(error.message, error.suggestion))
  leave(.usage)
}

/// Prints an error that came before anything was started, and ends the process.
func leave(_ error: DownloadError) -> Never {
  DescriptorOutput.standardError.write(line: errorLine(error.message, error.suggestion))
  leave(ExitStatus(error.code))
}
