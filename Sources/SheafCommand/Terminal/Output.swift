#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import SheafCore

/// A place that text is written to.
protocol Output: Sendable {
  /// Writes all of `text`, waiting for the reader if need be. Returns the error number if that failed, else nil.
  func write(_ text: String) -> Int32?

  /// Whether writing a line would not have to wait.
  var isReady: Bool { get }
}

extension Output {
  /// Writes a line. Every line of news passes here, so that nothing in it can drive a terminal, whoever wrote it.
  @discardableResult
  func write(line: String) -> Int32? { write(printable(line) + "\n") }
}

/// An open descriptor, written without a buffer, so that nothing is lost however the process ends.
struct DescriptorOutput: Output {
  static let standardOutput = DescriptorOutput(descriptor: STDOUT_FILENO)
  static let standardError = DescriptorOutput(descriptor: STDERR_FILENO)

  let descriptor: Int32

  @discardableResult
  func write(_ text: String) -> Int32? { Array(text.utf8).withUnsafeBytes { write($0) } }

  /// Writes all of `bytes`, as `write` does with text.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let count = systemWrite(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno == EAGAIN {
        // Another process that shares the terminal may have made it non-blocking.
        _ = poll(milliseconds: -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// A stopped terminal or a full pipe is not ready. A closed one is: writing reports it.
  var isReady: Bool { poll(milliseconds: 0) != 0 }

  private func poll(milliseconds: Int32) -> Int32 {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return systemPoll(&request, 1, milliseconds)
  }
}

// Under these names because the methods above hide the functions.
private let systemWrite = write
private let systemPoll = poll

/// Opens `/dev/null` for each standard stream that the parent left closed. Otherwise the next file opened, the
/// part file, would get its number, and messages would be written into the download.
func openMissingStandardStreams() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
    _ = open("/dev/null", O_RDWR)
  }
}
