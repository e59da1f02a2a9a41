#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The path of an executable of this package, which lies beside the running test bundle or executable.
package func builtProduct(_ name: String) throws(SystemCallFailure) -> String {
  #if os(Linux)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 else {
      throw SystemCallFailure("readlink /proc/self/exe")
    }
    let own = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  #else
    // The test runner is the system's; the bundle that it was given is ours: PRODUCTS/X.xctest/Contents/MacOS/X.
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let own = bundle.firstRange(of: ".xctest").map { String(bundle[..<$0.lowerBound]) } ?? bundle
  #endif
  let directory = own.lastIndex(of: "/").map { own[..<$0] } ?? "."
  let path = "\(directory)/\(name)"
  guard access(path, X_OK) == 0 else { throw SystemCallFailure("access \(path)") }
  return path
}
