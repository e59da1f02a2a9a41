#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Says what is wrong and ends the process; libFuzzer keeps the input. Unlike `preconditionFailure` it speaks in
/// optimized code too.
func complain(_ text: String) -> Never {
  let bytes = Array("COMPLAINT: \(text)\n".utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  abort()
}

func require(_ condition: Bool, _ text: @autoclosure () -> String) {
  if !condition { complain(text()) }
}
