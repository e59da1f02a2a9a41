import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// RAM disks of every size from nothing to enough, a page apart.
struct SizeRun {
  let options: SoakOptions

  private static let page: Int64 = 4096
  private static let taken = "taken"

  private enum Shape: String, CaseIterable {
    /// Without a manifest, and without a look at the free space.
    case small
    /// With a manifest; too small a disk is seen before anything is fetched.
    case large
    /// The same where the system does not say how much is free: the disk fills up on the way.
    case blind

    var entity: Entity {
      self == .small ? Entity(seed: 81, size: 300_001) : Entity(seed: 82, size: (8 << 20) + 300_001)
    }

    var pages: Int { Int((entity.size + SizeRun.page - 1) / SizeRun.page) }

    /// The manifest of so small a file has three pages and a few bytes.
    var pagesWithManifest: Int { self == .small ? pages : pages + 4 }

    /// Sizes in pages, each of them or some.
    func sizes(_ count: Int?) -> [Int] {
      let last = pagesWithManifest + 2
      guard let count else { return Array(0...last) }
      // Around the ends, where the manifest is what does not fit, and evenly between.
      let edges = [0, 1, 4, pages - 1, pages, pages + 1, pages + 3, pagesWithManifest]
      return Array(Set(edges + (1...count).map { $0 * last / (count + 1) })).sorted()
    }
  }

  func play() async throws -> Tally {
    #if os(Linux)
      guard geteuid() == 0 else { return Tally(remarks: ["skipped: mounting needs root"]) }
      var shapes: [Shape] = [.small, .large]
      if (try? ChildProcess("strace", ["--version"]).wait().isSuccess) == true { shapes.append(.blind) }
      let count = options.cycles ?? (options.isQuick ? 2 : nil)
      let cases = shapes.flatMap { shape in shape.sizes(count).map { (shape: shape, size: $0) } }
      var tally = await Lanes(.sizes, options, count: 3).play(cases.count, keeping: { try Origin() }) { origin, cycle in
        let (shape, size) = cases[cycle]
        return try Self.play(shape, pages: size, origin).map { "\(shape) file, \(size) pages: \($0)" }
      }
      for shape in shapes {
        tally.remarks.append(
          "\(cases.count { $0.shape == shape }) sizes for a \(shape) file of \(shape.pages) pages")
      }
      if !shapes.contains(.blind) { tally.remarks.append("skipped: the blind file, for there is no strace") }
      return tally
    #else
      return Tally(remarks: ["skipped: no tmpfs"])
    #endif
  }

  #if os(Linux)
    private static func play(_ shape: Shape, pages: Int, _ origin: Origin) throws -> [String] {
      // A disk of no size would be one without limit: of two pages, one is taken.
      let disk = try RAMDisk(bytes: Int64(pages + 1) * page)
      let work = disk.directory.path
      try disk.directory.write([1], to: taken)
      origin.serve(shape.entity)
      var client = Client(arguments: ["-q", "-x4", "--auto-save-interval=0.02", origin.url], directory: work)
      if shape == .blind {
        client.wrapper = [
          "strace", "-f", "-q", "-o", "/dev/null", "-e", "trace=fstatfs", "-e", "inject=fstatfs:error=ENOSYS",
        ]
      }
      let ending = try client.run(besides: [taken])
      var complaints = ending.complaints(versions: [shape.entity])
      switch ending.number {
      case 0?:
        if pages < shape.pages { complaints.append("status 0 on a disk that is too small") }
        return complaints
      case 9?:
        if pages >= shape.pagesWithManifest { complaints.append("status 9, and there is space") }
      default:
        complaints.append("\(String(describing: ending.status)): \(ending.errors.suffix(300))")
      }
      complaints += ending.errorLineComplaints
      try disk.resize(megabytes: 64)
      client.wrapper = []
      let again = try client.run(besides: [taken])
      complaints += again.complaints(versions: [shape.entity]).map { "then, with space: \($0)" }
      if !again.succeeded { complaints.append("then, with space: \(again.errors.suffix(300))") }
      return complaints
    }
  #endif
}
