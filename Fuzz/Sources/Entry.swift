#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The targets by the name of their folder in `Fuzz/Corpus`. One binary holds them all, so that the package is
/// compiled once; `FUZZ_TARGET` chooses.
private let targets: [String: @Sendable (Input) -> Void] = [
  "arguments": fuzzArguments,
  "checksum": fuzzChecksum,
  "checksum-file": fuzzChecksumFile,
  "configuration": fuzzConfiguration,
  "content-range": fuzzContentRange,
  "digest-fields": fuzzDigestFields,
  "download": fuzzDownload,
  "file-name": fuzzFileName,
  "foreign": fuzzForeign,
  "manifest": fuzzManifest,
  "metalink": fuzzMetalink,
  "output": fuzzOutput,
  "planner": fuzzPlanner,
  "printed-url": fuzzPrintedURL,
  "recovery": fuzzRecovery,
  "response-head": fuzzResponseHead,
  "retry-after": fuzzRetryAfter,
  "url-pattern": fuzzURLPattern,
]

private let target: @Sendable (Input) -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    complain("FUZZ_TARGET is '\(name)', not one of \(targets.keys.sorted().joined(separator: " "))")
  }
  return target
}()

/// Called by libFuzzer once for each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  target(Input(Array(UnsafeBufferPointer(start: data, count: size))))
  return 0
}
