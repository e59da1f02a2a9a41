/// A behaviour with a name, for command lines and for tests that run them all.
///
/// To add one: write a function in the fitting `Behaviour+Aspect.swift` if the settings do not suffice, and a line in
/// the fitting `NamedBehaviour+Aspect.swift`. docs/origin.md is made from the list.
package struct NamedBehaviour: Sendable, CustomStringConvertible {
  /// What a careful client ends with.
  package enum Outcome: String, Sendable {
    /// The right file: it can be had.
    case file
    /// An error: there is nothing to be had.
    case failure
    /// Either of them.
    case either
  }

  /// How the origin is reached.
  package enum Access: Sendable, Equatable {
    case plain
    /// By a name that has an IPv6 address too, at which nobody listens.
    case localhost
    case tls(TestAuthority.Flaw)
    /// As the proxy for a server that does not exist.
    case proxy
    /// Through nghttpx, which speaks HTTP/2 over TLS to the client.
    case http2
    /// Through nginx, which also speaks HTTP/2, and sends GOAWAY after every second request.
    case http2GoingAway

    package var speaksHTTP2: Bool { self == .http2 || self == .http2GoingAway }
  }

  /// What else the origin serves.
  package struct Neighbour: Sendable {
    package let path: String
    package let entity: Entity
    package let behaviour: Behaviour

    init(_ path: String, _ entity: Entity, _ behaviour: Behaviour = .correct) {
      self.path = path
      self.entity = entity
      self.behaviour = behaviour
    }
  }

  package let name: String
  /// The row of the list of hazards, O-01 to O-65.
  package let hazard: String
  package let summary: String
  private let make: @Sendable (Entity) -> Behaviour

  package var outcome = Outcome.file
  package var access = Access.plain
  /// The only size it makes sense for, if there is one.
  package var size: Int64?
  package var path = Origin.defaultPath
  /// Nothing but a digest from elsewhere can tell that the bytes are wrong.
  package var needsDigest = false
  /// The client is rightly still busy after a minute.
  package var takesLong = false
  /// Never sends a whole head, so that a client without a limit waits for ever.
  package var isSilent = false
  /// The versions of the file that it may serve; each of them, whole, is right.
  package var versions: @Sendable (Entity) -> [Entity] = { [$0] }
  /// What an earlier, interrupted run saw at the same URL.
  package var before: @Sendable (Entity) -> (Entity, Behaviour) = { ($0, .correct) }
  package var neighbours: @Sendable (Entity) -> [Neighbour] = { _ in [] }

  package init(
    _ name: String, _ hazard: String, _ summary: String, _ make: @escaping @Sendable (Entity) -> Behaviour
  ) {
    self.name = name
    self.hazard = hazard
    self.summary = summary
    self.make = make
  }

  /// A copy with something else about it changed.
  func with(_ change: (inout NamedBehaviour) -> Void) -> NamedBehaviour {
    var copy = self
    change(&copy)
    return copy
  }

  func ending(with outcome: Outcome) -> NamedBehaviour { with { $0.outcome = outcome } }

  /// The behaviour for an entity, on top of settings that are already made (such as a rate).
  package func behaviour(for entity: Entity, over base: Behaviour = .correct) -> Behaviour {
    base.and(make(entity))
  }

  /// Puts the file, and what belongs to it, under the origin's paths.
  package func serve(_ entity: Entity, on origin: Origin, over base: Behaviour = .correct) {
    for neighbour in neighbours(entity) {
      origin.serve(neighbour.entity, behaviour: base.and(neighbour.behaviour), at: neighbour.path)
    }
    origin.serve(entity, behaviour: behaviour(for: entity, over: base), at: path)
  }

  package var description: String { name }

  package static func named(_ name: String) -> NamedBehaviour? { all.first { $0.name == name } }

  package static let all =
    validators + ranges + contentRanges + sizes + framing + endings + silence + pace + refusals + redirects + links
    + changes + pages + names + escapes + digests + mirrors + encryption
}
