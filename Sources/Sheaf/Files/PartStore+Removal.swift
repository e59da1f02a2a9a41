import SheafCore

/// What a download left is removed.
extension PartStore {
  /// Removes the part file and the manifest of a download to `target` that is not under way.
  /// - Parameter evenWithoutManifest: a part file without a manifest is the download's, too.
  /// - Throws: a failure if another one uses them, or they are not ours to remove.
  static func removeLeftovers(of target: Target, evenWithoutManifest: Bool) async throws(Failure) {
    let engine: Engine
    do throws(CurlFailure) {
      engine = try Engine.shared
    } catch {
      throw Failure(.unknown, "libcurl cannot start: \(error.message)")
    }
    let store = PartStore(
      target, durability: .checkpoint, files: engine.files, disk: engine.disk, publisher: engine.publisher)
    try await store.removeLeftovers(evenWithoutManifest: evenWithoutManifest)
  }

  private func removeLeftovers(evenWithoutManifest: Bool) throws(Failure) {
    guard let directory = try? files.directory(at: target.directory) else { return }
    let hasManifest = try lookForManifest(in: directory)
    guard hasManifest || evenWithoutManifest else { return }
    let (part, _) = try lockPart(in: directory)
    (self.directory, self.part) = (directory, part)
    try removeManifest()
    abandon(keepingPart: false)
  }
}
