import SheafCore

/// What a transfer tells the download it works for.
enum TransferNews: Sendable {
  /// The head of the answer has been judged.
  case answered(Verdict)
  /// The answer was a redirect to this place.
  case redirected(Location)
  /// These bytes are in the part file and have this CRC-32; they lie within one block.
  case wrote(ByteRange, checksum: UInt32)
  /// All bytes before this offset are in the part file.
  case advanced(to: Int64)
  case ended(TransferEnding)
  /// The transfer is off its loop: always the last word, unless it was aborted.
  case left(keepsConnection: Bool)
  /// Something that the user should know about the answer.
  case warning(String)
  /// The part file could not be written.
  case storageFailed(Failure)
}

/// Takes the news of one download's transfers, on the loop's thread, after each turn.
typealias TransferSink = @Sendable ([(TransferID, TransferNews)]) -> Void
