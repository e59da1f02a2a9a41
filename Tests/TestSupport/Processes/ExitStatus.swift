/// How a process ended.
package enum ExitStatus: Hashable, Sendable {
  case exited(CInt)
  case signalled(CInt)

  /// Decodes what `wait4` stored; Swift cannot import the macros for it.
  init(waitStatus: CInt) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
  }

  package var isSuccess: Bool { self == .exited(0) }
}
