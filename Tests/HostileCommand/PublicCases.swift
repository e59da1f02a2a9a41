import TestSupport

/// Faults that other downloaders were reported to have, each as a scenario under its own number.
extension Scenario {
  static let publicCases = answers + identities + framings + refusalsAndLimits + interruptions + surroundings

  /// A case that one behaviour plays.
  private static func known(
    _ number: String, _ behaviour: String, _ starts: [Start] = Start.allCases, outcome: NamedBehaviour.Outcome? = nil,
    _ change: (inout Scenario) -> Void = { _ in }
  ) -> Scenario {
    guard let named = NamedBehaviour.named(behaviour) else { preconditionFailure("no behaviour \(behaviour)") }
    return Scenario("\(number) \(behaviour)", named).with { scenario in
      scenario.starts = starts
      scenario.outcome = outcome
      if named.access.speaksHTTP2 { scenario.needs = [.http2] }
      change(&scenario)
    }
  }

  /// A case that needs more than one run.
  private static func story(
    _ number: String, _ title: String, needs: [Need] = [],
    _ procedure: @escaping @Sendable (Stage) throws -> [String]
  ) -> Scenario {
    guard let correct = NamedBehaviour.named("correct") else { preconditionFailure("nothing is correct") }
    return Scenario("\(number) \(title)", correct).with { scenario in
      scenario.starts = [.fresh]
      scenario.needs = needs
      scenario.procedure = procedure
    }
  }

  private static let answers = [
    known("B-01", "claims-ranges-but-ignores-them"),
    known("B-02", "whole-file-206"),
    known("B-04", "whole-file-206-later", [.resumed]),
    known("B-05", "ignores-ranges"),
    known("B-07", "ignores-ranges", [.fresh]) {
      $0.behaviour = NamedBehaviour("content-range-on-200", "O-16", "200 with a malformed Content-Range") { entity in
        .correct.ignoringRanges().header("Content-Range", "bytes=0-\(entity.size - 1)/\(entity.size)")
      }
    },
    known("B-08", "ignores-ranges", [.resumed]),
    known("B-10", "ignores-ranges") {
      $0.options = ["--json"]
      $0.inspect = {
        $0.numbers(named: "bytes").contains { [size = $0.entity.size] in $0 > size }
          ? ["more bytes than the file has"] : []
      }
    },
    known("B-11", "proxy-stale-ranges"),
    known("B-13", "closes-at-mebibytes"),
    story("B-14", "every size of segment") { try $0.trySizes() },
    story("B-16", "complete, and 416 with a page") { try $0.runTwice("416-at-end") },
    story("B-17", "complete, asked for again") { try $0.runTwice("correct") },
    known("B-19", "416-near-end-twice"),
    known("B-20", "shrunk-between-runs", [.resumed]),
    story("B-22", "complete, and 206 without a byte") { try $0.runTwice("empty-206-at-end") },
    story("B-23", "complete, quietly and as JSON") { try $0.runTwice("416-at-end", options: ["-q", "--json"]) },
  ]

  private static let identities = [
    known("B-25", "changes-after-2"),
    known("B-26", "shrinks-after-4"),
    known("B-28", "changed-between-runs", [.resumed]),
    known("B-29", "alternating-etags"),
    story("B-31", "two files at once, stopped, continued") { try $0.stopAndContinueTwo() },
    known("B-32", "mirror-differs") {
      $0.needs = [.option("--mirror")]
      $0.options = ["--mirror=BASE/mirror.bin"]
    },
    story("B-34", "another download with the same name") { try $0.takeOverName() },
    known("B-35", "redirects-with-another-etag") {
      guard let same = NamedBehaviour.named("redirects-with-another-etag") else { return }
      $0.behaviour.before = { ($0, same.behaviour(for: $0)) }
      $0.inspect = { $0.log.bytesSent > $0.entity.size + (24 << 20) ? ["what was there was thrown away"] : [] }
    },
  ]

  private static let framings = [
    known("B-37", "gzip-if-offered") {
      $0.behaviour = NamedBehaviour("gzip-after-a-cut", "O-36", "the same, and the first body is cut") { entity in
        let gzip = NamedBehaviour.named("gzip-if-offered")?.behaviour(for: entity) ?? .correct
        return gzip.closing(after: 233_624, on: .request(1))
      }
      $0.inspect = { observation in
        observation.log.requests.contains { $0.headers["Accept-Encoding"]?.contains("gzip") == true }
          ? ["offers gzip"] : []
      }
    },
    known("B-38", "content-length-and-chunked", outcome: .file),
    known("B-40", "head-lies"),
    known("B-41", "head-says-empty"),
    known("B-43", "chunked") { $0.connections = [10] },
    story("B-44", "200 files, half of them cut once") { try $0.fetchMany() },
  ]

  private static let refusalsAndLimits = [
    known("B-46 a", "html-200-after-4"),
    known("B-46 b", "html-206-after-4"),
    known("B-47", "signed-link-for-2s") { $0.options = ["-k1M"] },
    story("B-49", "the same file under a renewed link") { try $0.renewLink() },
    known("B-50", "one-shot-link-whole", [.fresh]),
    known("B-52", "too-many-requests-every-third", [.fresh]) { $0.connections = [1, 4] },
    known("B-53", "busy-every-third", [.fresh]),
    known("B-55", "closes-once-a-segment"),
  ]

  private static let interruptions = [
    story("B-56", "the manifest is empty after a crash") { try $0.emptyManifest() },
    story("B-58", "data is synced before the name is given", needs: [.tool("strace")]) { try $0.watchSyncs() },
    story("B-59", "killed at half, then run again") { try $0.killAndRunAgain() },
    story("B-61", "almost nothing missing, and a stall") { try $0.finishLastBytes() },
    story("B-62", "stopped and continued 20 times") { try $0.stopTwentyTimes() },
    story("B-64", "Ctrl-C at ten moments") { try $0.interruptAtMoments() },
    known("B-65 a", "chunked-cut", [.fresh]),
    known("B-65 b", "closes-without-ranges", [.fresh]),
  ]

  private static let surroundings = [
    story("B-67", "20 files on a disk for three", needs: [.root]) { try $0.fillDisk() },
    story("B-68", "no fallocate on this disk", needs: [.tool("strace")]) {
      try $0.runTampered("fallocate:error=EOPNOTSUPP")
    },
    story("B-70", "two processes, one name") { try $0.runTwoAtOnce() },
    story("B-71", "two processes where locks mean nothing", needs: [.tool("strace")]) {
      try $0.runTwoAtOnce(tampering: "flock:retval=0")
    },
    known("B-73", "redirects-to-another-origin") {
      $0.options = ["-HAuthorization: Bearer secret", "-HCookie: a=secret", "-HX-Secret: secret"]
      $0.inspect = { observation in
        observation.log.requests.contains {
          $0.request.query == "elsewhere" && $0.headers.fields.contains { $0.value.contains("secret") }
        } ? ["told a secret to another origin"] : []
      }
    },
    story("B-74", "a password for one of two hosts") { try $0.keepPassword() },
    story("B-76", "control characters on a terminal", needs: [.tool("script")]) { try $0.watchTerminal() },
    known("B-77 a", "tls-wrong-host", [.fresh]) { $0.inspect = askedNothing },
    known("B-77 b", "tls-expired", [.fresh]) { $0.inspect = askedNothing },
    known("B-77 c", "tls-self-signed", [.fresh]) { $0.inspect = askedNothing },
    known("B-79", "whole-file-206-later", [.fresh]) {
      $0.behaviour.size = 64 << 20
      // What lies in the buffers of two systems when the connection is closed.
      $0.inspect = { observation in
        let asked = observation.log.requests.filter { $0.rangeHeader?.hasPrefix("bytes=0-") == false }
        return asked.contains { $0.bodyBytes > 16 << 20 } ? ["read on after a wrong head"] : []
      }
    },
    story("B-80", "stopped and continued 50 times") { try $0.stopTwentyTimes(50) },
  ]

  private static let askedNothing: @Sendable (Observation) -> [String] = {
    $0.log.requests.isEmpty ? [] : ["made a request in spite of the certificate"]
  }
}

extension Observation {
  /// The numbers under a key of the JSON that was printed.
  func numbers(named key: String) -> [Int64] {
    output.split(separator: "\"\(key)\":").dropFirst().compactMap { Int64($0.prefix { $0.isNumber }) }
  }
}
