import SheafCore

/// The release, in its one place.
enum Version {
  static let number = version
}
