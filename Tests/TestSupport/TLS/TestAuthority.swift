#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A certificate authority made for one test run, with certificates that are right, and wrong in every usual way.
///
/// The files are removed when the last reference goes.
package final class TestAuthority: Sendable {
  /// What is wrong with a certificate.
  package enum Flaw: String, CaseIterable, Sendable {
    case none = "server"
    /// Right in all but the name: it is for `example.invalid`.
    case wrongHost = "wrong-host"
    /// Its last day is over.
    case expired
    /// Signed by nobody but itself.
    case selfSigned = "self-signed"
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let directory: TemporaryDirectory

  /// The authority's own certificate as a PEM file: what a client has to trust.
  package var file: String { directory.file("ca.pem") }

  /// Asks openssl for everything; blocks until it is made.
  package init() throws {
    directory = try TemporaryDirectory()
    try openssl(["req", "-x509"] + newKey("ca") + ["-days", "2", "-subj", "/CN=Test authority", "-out", file])
    for flaw in Flaw.allCases {
      let name = flaw.rawValue
      let host = flaw == .wrongHost ? "DNS:example.invalid" : "DNS:localhost,IP:127.0.0.1"
      let subject = ["-subj", "/CN=\(name)", "-addext", "subjectAltName=\(host)"]
      if flaw == .selfSigned {
        try openssl(["req", "-x509"] + newKey(name) + subject + ["-days", "2", "-out", certificate(flaw)])
      } else {
        let request = directory.file("\(name).csr")
        try openssl(["req"] + newKey(name) + subject + ["-out", request])
        try openssl([
          "x509", "-req", "-in", request, "-CA", file, "-CAkey", directory.file("ca.key"), "-CAcreateserial",
          "-copy_extensions", "copyall", "-days", flaw == .expired ? "-1" : "2", "-out", certificate(flaw),
        ])
      }
    }
  }

  package func certificate(_ flaw: Flaw) -> String { directory.file("\(flaw.rawValue).pem") }

  package func key(_ flaw: Flaw) -> String { directory.file("\(flaw.rawValue).key") }

  private func newKey(_ name: String) -> [String] {
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", directory.file("\(name).key")]
  }

  private func openssl(_ arguments: [String]) throws {
    let process = try ChildProcess("openssl", arguments)
    guard process.wait().isSuccess else {
      throw Failure(description: "openssl \(arguments[0]) failed: \(process.text(of: .errors))")
    }
  }
}
