import SheafCore

/// What lies beside a file and says which parts of it are there.
enum RepairHint: Sendable {
  /// A manifest of Sheaf's; `isOurs` if nobody else can have written it.
  case manifest(Manifest, name: String, isOurs: Bool)
  /// Another program's control file.
  case foreign(ForeignProgress, name: String)
  /// One that makes no sense: then nobody knows what is there.
  case unusable(name: String)

  /// The name of the file that says so.
  var name: String {
    switch self {
    case .manifest(_, let name, _), .foreign(_, let name), .unusable(let name): name
    }
  }

  /// The control files of other programs by the ends of their names.
  static let foreign: [(suffix: String, parse: @Sendable ([UInt8]) -> ForeignProgress?)] = [
    (Aria2ControlFile.suffix, Aria2ControlFile.parse), (AxelStateFile.suffix, AxelStateFile.parse),
    (LftpStatusFile.suffix, LftpStatusFile.parse),
  ]
}
