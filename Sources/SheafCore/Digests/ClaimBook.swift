/// What servers claim of the file's digest, until the first answer that is accepted settles it.
struct ClaimBook: Sendable {
  private(set) var isSettled = false
  /// What is compared in the end.
  private(set) var settled: [DigestClaim] = []

  /// Of redirects on the way to the answer.
  private var passed: [DigestClaim] = []
  /// Of answers that have not been judged yet.
  private var heard: [TransferID: [DigestClaim]] = [:]

  mutating func hear(_ id: TransferID, _ claims: [DigestClaim]) {
    if !isSettled { heard[id] = claims }
  }

  /// The answer turned out to be a redirect that is followed.
  mutating func pass(_ id: TransferID) { passed += heard.removeValue(forKey: id) ?? [] }

  /// The answer is of no use, or its transfer has ended.
  mutating func forget(_ id: TransferID) { heard[id] = nil }

  /// The answer is accepted: what it and the redirects before it claim holds from now on.
  mutating func settle(_ id: TransferID) {
    settled = (passed + (heard[id] ?? [])).worthComparing
    isSettled = true
    heard = [:]
    passed = []
  }
}
