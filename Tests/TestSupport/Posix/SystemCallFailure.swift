#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A system call that failed, with the reason the system gave.
package struct SystemCallFailure: Error, CustomStringConvertible {
  package let call: String
  package let code: CInt

  /// Takes `errno` unless the call returned its error directly, as the pthread and spawn calls do.
  package init(_ call: String, code: CInt = errno) {
    self.call = call
    self.code = code
  }

  package var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}
