/// A place that the file's bytes can come from, and what is known of it.
package struct Source: Sendable {
  /// As the user, or whoever named it, gave it.
  package internal(set) var original: Location
  /// Where its redirects led.
  package internal(set) var location: Location
  /// What its answers say; nil before the first one.
  var identity: Identity?
  /// How often the original was asked for another link since the last answer that could be used.
  var resolutions = 0
  /// Another URL, or credentials, are being asked for: nothing is asked of it meanwhile.
  var isRenewing = false
  /// How often that was done since the last answer that could be used.
  var renewals = 0
  /// Requests up to this one were made before it was last done.
  var renewedID = 0
  /// Unusable answers to range requests since the last one that served; those under way at the same time count once.
  var strikes = 0
  /// Requests up to this one were made before the last strike.
  var struckID = 0
  /// Requests in a row that were not answered at all.
  var silences = 0
  var hasAnswered = false
  /// How often its bytes were compared with those of others and were the same.
  var fits = 0
  /// How many pieces that it had a part in had a wrong digest.
  var wrongPieces = 0
  /// Bytes received from it, in this run.
  package internal(set) var received: Int64 = 0
  /// What it brought of the file, in this run.
  package internal(set) var brought = RangeSet()
  /// Bytes per second of one of its transfers, when last seen.
  package internal(set) var rate: Double?
  /// Why nothing more is asked of it.
  package internal(set) var dropped: String?
  /// What it brought was not the file's, and is forgotten.
  package internal(set) var isExpelled = false
  /// It was dropped for a digest that may be another source's fault.
  var isSuspect = false

  init(_ original: Location) {
    self.original = original
    location = original
  }

  var isUsable: Bool { dropped == nil }

  /// Forgets what belonged to the file that it had; why it was dropped stays.
  mutating func startOver() {
    location = original
    identity = nil
    brought = RangeSet()
    fits = 0
  }
}
