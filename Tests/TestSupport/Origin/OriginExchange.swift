/// What a rule may know about the request it is deciding on.
package struct OriginExchange: Sendable {
  package let request: OriginRequest
  /// The entity that the path was given.
  package let entity: Entity
  /// Which request for this path it is, counted from 1.
  package let number: Int
  /// Which connection carries it, counted from 1 in the order of acceptance.
  package let connection: Int
  /// Requests the origin is answering, this one included.
  package let requestsInProgress: Int
  /// `https` when it came over TLS.
  package let scheme: String
  package let port: UInt16

  /// The origin's address without a path, `http://127.0.0.1:PORT`.
  package var base: String { "\(scheme)://127.0.0.1:\(port)" }

  /// The same place under another name, and so another origin to a client.
  package var otherBase: String { "\(scheme)://localhost:\(port)" }

  let core: OriginCore

  /// Open connections that were accepted before this one.
  package var connectionsAhead: Int { core.openConnections(before: connection) }
}
