/// Connections that end, or fall silent, too early.
extension Behaviour {
  /// The connection is closed after that many bytes of body, if it has more.
  package func closing(after count: Int64, on occasion: Occasion = .always) -> Behaviour {
    cut(.body(after: count), .close, on: occasion)
  }

  /// The connection is reset after that many bytes of body, if it has more.
  package func resetting(after count: Int64, on occasion: Occasion = .always) -> Behaviour {
    cut(.body(after: count), .reset, on: occasion)
  }

  /// Nothing more comes after that many bytes of body, until the origin stops or the client leaves.
  package func stalling(after count: Int64, on occasion: Occasion = .always) -> Behaviour {
    cut(.body(after: count), .stall, on: occasion)
  }

  /// The connection ends, or falls silent, at some place of the head or the body.
  package func cut(
    _ place: OriginAnswer.Place, _ ending: OriginAnswer.Ending, on occasion: Occasion = .always
  ) -> Behaviour {
    amending(on: occasion) { $1.cut = OriginAnswer.Cut(place, ending) }
  }
}
