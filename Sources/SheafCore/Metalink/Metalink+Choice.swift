extension Metalink {
  /// The file that one of these names means, the first name that fits; the only one whatever it is called.
  package func file(named names: [String]) -> File? {
    for name in names {
      if let file = files.first(where: { $0.name == name }) { return file }
    }
    return files.count == 1 ? files.first : nil
  }
}
