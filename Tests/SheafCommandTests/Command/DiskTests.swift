import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

/// Disks that are full or may not be written. Mounting and changing users need root.
@Suite("Disks", .serialized, .enabled(if: geteuid() == 0))
struct DiskTests {
  static let entity = Entity(seed: 51, size: 24 << 20)

  @Test("too small a disk is seen before anything is fetched")
  func tooSmall() async throws {
    let origin = try Origin(entity: Self.entity)
    let mount = try RAMDisk(megabytes: 10)
    let run = try await runSheaf([origin.url], in: mount.directory)
    #expect(run.status == .exited(9))
    #expect(run.errors.contains("free some space"))
    #expect(!mount.directory.names().contains("file.bin"))
  }

  @Test("a disk that fills up under the download: 9, and it goes on when there is space", arguments: [12, 16, 20])
  func fillsUp(megabytes: Int) async throws {
    // Slow enough for the space to be taken in time on a busy machine.
    let origin = try Origin(entity: Self.entity, behaviour: .correct.rate(1 << 20))
    let mount = try RAMDisk(megabytes: 64)
    let full = try startSheaf(["-x4", "--auto-save-interval=0.02", origin.url], in: mount.directory)
    _ = await origin.reached { $0.bytesSent > 4 << 20 }
    // Somebody else takes the space, or what is left of it.
    mount.occupy(megabytes: 64 - megabytes)
    let result = await full.result()
    #expect(result.status == .exited(9), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    mount.vacate()
    #expect(mount.directory.names() == ["file.bin.part", "file.bin.sheaf"])
    origin.serve(Self.entity)
    let continued = try await runSheaf([origin.url], in: mount.directory)
    #expect(continued.status == .exited(0), "\(continued.errors)")
    #expect(continued.errors.contains("kept from an earlier run"))
    #expect(Self.entity.matches(fileAt: mount.directory.file("file.bin")))
  }

  @Test("a directory that may not be written fails before any request")
  func readOnly() async throws {
    let origin = try Origin(entity: Self.entity)
    let mount = try RAMDisk(megabytes: 64)
    try mount.forbidWriting()
    let run = try await runSheaf([origin.url], in: mount.directory)
    #expect(run.status == .exited(16), "\(run.errors)")
    #expect(origin.log.requests.isEmpty)
    let deeper = try await runSheaf(["-d", "sub", origin.url], in: mount.directory)
    #expect(deeper.status == .exited(18), "\(deeper.errors)")
  }
}
