/// What one transfer asks for.
package struct TransferRequest: Hashable, Sendable {
  package let id: TransferID
  package var location: Location
  package var question: RangeQuestion
  /// How the file is divided, once its length is known.
  package var blocks: BlockMap?
  /// The identity of a finished file on disk: the server is asked to send nothing if it still has that one.
  package var unlessStill: Identity?
  /// Whether header fields that the user gave for the original origin may be sent.
  package var carriesPrivateFields: Bool

  /// Bytes at or behind this offset are not taken before somebody has use for them.
  package var reach: Int64

  package init(
    id: TransferID, location: Location, question: RangeQuestion, blocks: BlockMap? = nil,
    unlessStill: Identity? = nil, carriesPrivateFields: Bool, reach: Int64 = .max
  ) {
    self.reach = reach
    self.id = id
    self.location = location
    self.question = question
    self.blocks = blocks
    self.unlessStill = unlessStill
    self.carriesPrivateFields = carriesPrivateFields
  }
}

/// How a transfer ended, once it had been accepted.
package enum TransferEnding: Hashable, Sendable {
  /// It stopped where it should, or the server ended the answer in order.
  case finished
  /// The network or the server let it down; what arrived until then counts.
  case failed(TransferFailure)
}

/// What libcurl reports about a transfer that failed.
package struct TransferFailure: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case connectionRefused, nameResolution, timedOut, tls, cut, malformed, other
    /// The proxy wants to know who is asking, or to know better.
    case proxyLogin
    /// The program does not want a request to go where it would have gone.
    case notAllowed
    /// The body had no length and ended with its connection, and that end may be somebody else's work.
    case endUnconfirmed
  }

  package var kind: Kind
  /// A sentence part for people, safe to print.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
