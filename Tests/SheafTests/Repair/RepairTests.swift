import Sheaf
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is good in a file is kept, the rest is fetched, and no accident makes the file worse.
@Suite("Repair", .serialized)
struct RepairTests {
  static let mebi: Int64 = 1 << 20
  static let entity = Entity(seed: 71, size: 40 << 20)
  static let other = Entity(seed: 72, size: 40 << 20)
  static let right = "sha-256=" + hexadecimal(entity.sha256())
  static let wrong = "sha-256=" + String(repeating: "0", count: 64)

  // MARK: - By the digests of pieces

  @Test("with the digests of pieces only the bad ones are fetched", arguments: [1, 16])
  func pieces(connections: Int) async throws {
    let entity = Entity(seed: 70, size: 64 << 20)
    let bad: [Int64] = [0, 3, 4, 9, 17, 30, 31, 45, 62, 63]
    let damage = try Damage(entity, flipping: bad.map { $0 * Self.mebi + 12_345 })
    let origin = try Origin(entity: entity)
    let fetched = try await damage.repair(from: origin.url, metalink: Damage.metalink(of: entity)) {
      $0.connections = connections
    }
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(entity.difference(fromFileAt: damage.path) == nil)
    #expect(damage.directory.names() == [Damage.name])
    #expect(result.fetchedBytes - result.wastedBytes == 10 * Self.mebi)
    // A byte tells what the source has. Of several connections one may be cut off while more is on its way.
    #expect(connections > 1 || origin.log.bytesSent == 10 * Self.mebi + 1)
    #expect(connections > 1 || origin.log.requests.count <= 9)
    #expect(result.repair?.basis == .pieces && result.repair?.keptBlocks == 54 && result.repair?.trustedBlocks == 0)
  }

  @Test("a piece of another size than a block is fetched with the blocks that it touches")
  func smallPieces() async throws {
    let damage = try Damage(Self.entity, flipping: [5 * Self.mebi + 7, 20 * Self.mebi])
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(
      from: origin.url, metalink: Damage.metalink(of: Self.entity, pieceLength: 300_000, hasDigest: true))
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.matches(fileAt: damage.path))
    #expect(result.fetchedBytes <= 4 * Self.mebi)
    #expect(result.verified == ["sha-256"])
  }

  @Test("the source of the document is used where no URL is given; validators are not needed")
  func documentsSource() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<10 * Self.mebi], length: 10 * Self.mebi)
    let origin = try Origin(entity: Self.entity, behaviour: .correct.noValidator())
    let fetched = try await damage.repair(from: nil, metalink: Damage.metalink(of: Self.entity, url: origin.url))
    #expect(fetched.success?.fetchedBytes == 30 * Self.mebi, "\(fetched.result)")
    #expect(Self.entity.matches(fileAt: damage.path))
  }

  @Test("what a source sends instead of a piece is not put into the file")
  func wrongPieces() async throws {
    let damage = try Damage(Self.entity, flipping: [5 * Self.mebi])
    let before = damage.inode
    let origin = try Origin(entity: Self.other)
    let fetched = try await damage.repair(from: origin.url, metalink: Damage.metalink(of: Self.entity))
    #expect(fetched.code == .checksum, "\(fetched.result)")
    #expect(damage.inode == before)
  }

  @Test("a source of another length than the document says is not used")
  func wrongLength() async throws {
    let damage = try Damage(Self.entity, flipping: [5])
    let origin = try Origin(entity: Entity(seed: 1, size: 5000))
    let fetched = try await damage.repair(from: origin.url, metalink: Damage.metalink(of: Self.entity))
    #expect(fetched.code == .badResponse)
    #expect(damage.directory.names() == [Damage.name])
  }

  // MARK: - Nothing to repair

  @Test("a file that has its digests is left alone, without a request")
  func intact() async throws {
    let damage = try Damage(Self.entity, flipping: [])
    let before = damage.inode
    let origin = try Origin(entity: Self.other)
    for metalink in [Damage.metalink(of: Self.entity), Damage.metalink(of: Self.entity, hasDigest: true), nil] {
      let fetched = try await damage.repair(from: origin.url, metalink: metalink) {
        if metalink == nil { $0.checksum = try? Checksum(parsing: Self.right) }
      }
      #expect(fetched.success?.repair?.wasIntact == true, "\(fetched.result)")
    }
    #expect(damage.inode == before && damage.directory.names() == [Damage.name])
    #expect(origin.log.requests.isEmpty)
  }

  @Test("a file that only the source vouches for is compared with it and left alone")
  func intactBySamples() async throws {
    let damage = try Damage(Self.entity, flipping: [])
    let before = damage.inode
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url)
    let report = try #require(fetched.success?.repair, "\(fetched.result)")
    #expect(report.wasIntact && report.comparedBlocks == 4 && report.trustedBlocks == 36 && report.basis == .content)
    #expect(damage.inode == before && damage.directory.names() == [Damage.name])
    #expect(Self.entity.matches(fileAt: damage.path))
    #expect(report.blocks == 40 && report.keptBlocks == 40)
  }

  // MARK: - By comparing

  @Test("a truncated file is continued where it ends", arguments: [25 * mebi + 300_000, 300_000, 0, 40 * mebi - 1])
  func truncated(length: Int64) async throws {
    let damage = try Damage(Self.entity, keeping: [0..<length], length: length)
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url)
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
    #expect(damage.directory.names() == [Damage.name])
    let kept = length / Self.mebi
    #expect(result.repair?.keptBlocks == Int(kept))
    // The last bytes may be asked for twice.
    #expect(result.fetchedBytes - result.wastedBytes <= Self.entity.size - (kept - min(kept, 4)) * Self.mebi)
    #expect(result.repair?.wasIntact == false)
  }

  @Test("a file that is longer than the source's is cut")
  func tooLong() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<Self.entity.size], length: Self.entity.size + 5_000_000)
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url)
    #expect(fetched.success?.repair?.keptBlocks == 40, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
  }

  @Test("gaps of zeros are fetched though nothing says where they are")
  func holes() async throws {
    let damage = try Damage(
      Self.entity,
      keeping: [0..<5 * Self.mebi + 200, 20 * Self.mebi + 77..<23 * Self.mebi, 30 * Self.mebi..<Self.entity.size])
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url, samples: 6)
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
    #expect(result.repair?.keptBlocks == 15 && result.repair?.comparedBlocks == 6)
    #expect(result.fetchedBytes - result.wastedBytes == 31 * Self.mebi)
  }

  @Test("a sample that differs takes its neighbours with it, and no more")
  func damagedTail() async throws {
    let damage = try Damage(Self.entity, flipping: [39 * Self.mebi, 38 * Self.mebi, 37 * Self.mebi])
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url, samples: 8)
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
    // Where the samples are is left to chance.
    #expect(fetched.success?.repair?.keptBlocks ?? 0 > 20)
    #expect(fetched.success?.repair?.comparedBlocks ?? 0 >= 6)
  }

  @Test("a file that has nothing of the source's stays as it is", arguments: [nil, 3])
  func otherFile(samples: Int?) async throws {
    let damage = try Damage(Self.other, flipping: [])
    let before = damage.inode
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url, samples: samples)
    #expect(fetched.code == .badResponse, "\(fetched.result)")
    #expect(damage.inode == before && damage.directory.names() == [Damage.name])
  }

  @Test("so does a small one, and one that meets a login page", arguments: [300_000, 40 << 20] as [Int64])
  func loginPage(length: Int64) async throws {
    let damage = try Damage(Self.other, keeping: [0..<length], length: length)
    let before = damage.inode
    let origin = try Origin(entity: Entity(seed: 9, size: 7_000))
    let fetched = try await damage.repair(from: origin.url)
    #expect(fetched.code == .badResponse, "\(fetched.result)")
    #expect(damage.inode == before && damage.directory.names() == [Damage.name])
  }

  @Test("with a digest of the source's file, another file is replaced all the same")
  func otherFileWithDigest() async throws {
    let damage = try Damage(Self.other, flipping: [])
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url) { $0.checksum = try? Checksum(parsing: Self.right) }
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
  }

  @Test("a digest that differs in the end leaves the file as it was")
  func wrongDigest() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<20 * Self.mebi], length: 20 * Self.mebi)
    let before = damage.inode
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url) { $0.checksum = try? Checksum(parsing: Self.wrong) }
    #expect(fetched.code == .checksum, "\(fetched.result)")
    #expect(damage.inode == before)
  }

  @Test("servers that prove little, or answer no ranges, send what is missing or everything")
  func poorServers() async throws {
    for behaviour: Behaviour in [
      .correct.weakETag(), .correct.noValidator(), .correct.ignoringRanges(),
    ] {
      let damage = try Damage(Self.entity, keeping: [0..<20 * Self.mebi], length: 20 * Self.mebi)
      let origin = try Origin(entity: Self.entity, behaviour: behaviour)
      let fetched = try await damage.repair(from: origin.url)
      #expect(fetched.code == nil, "\(fetched.result)")
      #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
      #expect(damage.directory.names() == [Damage.name])
    }
  }

  // MARK: - Files and places

  @Test("the result goes elsewhere if that is asked for, and has the rights of the damaged file")
  func elsewhere() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<20 * Self.mebi], length: 20 * Self.mebi)
    chmod(damage.path, 0o640)
    let before = damage.inode
    let origin = try Origin(entity: Self.entity)
    let new = damage.directory.file("new.bin")
    let fetched = try await damage.repair(from: origin.url, to: .file(new))
    #expect(fetched.success?.path == new, "\(fetched.result)")
    #expect(Self.entity.matches(fileAt: new))
    var status = stat()
    #expect(stat(new, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(damage.inode == before)
    let again = try await damage.repair(from: origin.url, to: .file(new))
    #expect(again.code == .exists)
  }

  @Test("a file that is in use, missing, or none is refused")
  func refused() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<100], length: 100)
    let origin = try Origin(entity: Self.entity)
    let user = open(damage.path, O_RDONLY | O_CLOEXEC)
    #expect(flock(user, LOCK_EX | LOCK_NB) == 0)
    #expect(try await damage.repair(from: origin.url).code == .inUse)
    close(user)
    rename(damage.path, damage.directory.file("real"))
    #expect(try await damage.repair(from: origin.url).code == .openFailed)
    symlink("real", damage.path)
    #expect(try await damage.repair(from: origin.url).code == .openFailed)
    #expect(origin.log.requests.isEmpty)
    #expect(damage.directory.names() == ["file.bin", "real"])
  }

  @Test("a repair that was interrupted goes on, and compares again")
  func interrupted() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<10 * Self.mebi], length: 10 * Self.mebi)
    let before = damage.inode
    let origin = try Origin(
      entity: Self.entity,
      behaviour: .correct.stalling(after: 3 << 20, on: .after(1)).cut(.head(after: 0), .stall, on: .after(6)))
    var options = DownloadOptions()
    options.connections = 4
    options.checkpointInterval = .milliseconds(5)
    let download = try Download(repairing: damage.path, from: origin.url, options: options)
    download.start()
    #expect(await origin.reached(seconds: 60) { $0.bytesSent >= 9 << 20 })
    download.cancel(keepingPartial: true)
    do {
      _ = try await download.value
      Issue.record("finished although it was stopped")
    } catch {
      #expect(error.code == .interrupted)
    }
    #expect(damage.inode == before)
    #expect(damage.directory.names() == ["file.bin", "file.bin.part", "file.bin.sheaf"])
    origin.serve(Self.entity)
    origin.clearLog()
    let fetched = try await damage.repair(from: origin.url)
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
    #expect(fetched.success?.repair?.comparedBlocks ?? 0 > 0)
    #expect(damage.directory.names() == ["file.bin"])
  }

  @Test("what passes is tried again, and redirects are followed, before anything is known")
  func probing() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<20 * Self.mebi], length: 20 * Self.mebi)
    let origin = try Origin(entity: Self.entity, behaviour: .correct.status(503, on: .first(1)))
    origin.serve(Self.entity, behaviour: .correct.redirecting(to: origin.url), at: "/from.bin")
    let fetched = try await damage.repair(from: origin.url("/from.bin"))
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(Self.entity.matches(fileAt: damage.path))
  }

  @Test("mirrors of the source bring their share; one with another file is asked no more")
  func mirrors() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<10 * Self.mebi], length: 10 * Self.mebi)
    let origin = try Origin(entity: Self.entity)
    let mirror = try Origin(entity: Self.entity)
    let liar = try Origin(entity: Self.other)
    let fetched = try await damage.repair(from: origin.url) { $0.mirrors = [mirror.url, liar.url] }
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
  }

  @Test("nobody there, or no such file, is said as ever")
  func unreachable() async throws {
    let damage = try Damage(Self.entity, keeping: [0..<100], length: 100)
    let origin = try Origin(entity: Self.entity)
    #expect(try await damage.repair(from: origin.url("/nothing")).code == .notFound)
    let url = origin.url
    origin.stop()
    #expect(try await damage.repair(from: url).code == .network)
    #expect(damage.directory.names() == ["file.bin"])
  }
}
