/// The release, in its one place.
enum Version {
  static let number = "0.1.0"
}
