#if os(Linux)
  import Glibc
  import TestSupport

  /// What happens to a download on one disk. Returns what was wrong.
  struct DiskStory: Sendable {
    let name: String
    let play: @Sendable (DiskStage) throws -> [String]

    static let all = [
      DiskStory(name: "whole", play: whole),
      DiskStory(name: "kill -9", play: killed),
      DiskStory(name: "existing file", play: existing),
      DiskStory(name: "full from the start", play: full),
      DiskStory(name: "filled on the way", play: filledUp),
      DiskStory(name: "power cut on the way", play: powerCut),
      DiskStory(name: "power cut after success", play: powerCutAfterSuccess),
      DiskStory(name: "power cut after success in new directories", play: powerCutInNewDirectories),
    ]

    /// A second run finds the file complete.
    private static func whole(_ stage: DiskStage) throws -> [String] {
      var complaints = try stage.complete()
      stage.origin.clearLog()
      complaints += try stage.complete().map { "again: \($0)" }
      if stage.origin.log.requests.count > 1 { complaints.append("\(stage.origin.log.requests.count) requests again") }
      return complaints
    }

    private static func killed(_ stage: DiskStage) throws -> [String] {
      stage.serve(bytesPerSecond: 40 << 20)
      for _ in 0..<3 {
        let process = try stage.start()
        stage.wait(process, until: stage.origin.log.bytesSent + stage.dice.bytes(1...(12 << 20)))
        process.kill(SIGKILL)
        process.wait()
      }
      return try stage.complete()
    }

    /// Refused, then replaced when that is asked for.
    private static func existing(_ stage: DiskStage) throws -> [String] {
      let old = Entity(seed: 5, size: 100_000)
      try old.write(toFileAt: "\(stage.work)/file.bin")
      let refused = try stage.run()
      var complaints = refused.complaints(versions: [stage.entity], old: old)
      if refused.number != 13 { complaints.append("\(String(describing: refused.status)) instead of 13") }
      complaints += try stage.complete(["--allow-overwrite"])
      return complaints
    }

    private static func full(_ stage: DiskStage) throws -> [String] {
      try stage.fill(leaving: stage.entity.size / 2)
      let ending = try stage.run()
      stage.unfill()
      var complaints = ending.complaints(versions: [stage.entity])
      if ending.number != 9 { complaints.append("\(String(describing: ending.status)) instead of 9: \(ending.errors)") }
      return try complaints + ending.errorLineComplaints + stage.complete()
    }

    private static func filledUp(_ stage: DiskStage) throws -> [String] {
      stage.serve(bytesPerSecond: 10 << 20)
      let process = try stage.start()
      stage.wait(process, until: 6 << 20)
      try stage.fill(leaving: 0)
      let ending = Ending(of: process, in: stage.work)
      stage.unfill()
      var complaints = ending.complaints(versions: [stage.entity])
      if ending.number != 9 { complaints.append("\(String(describing: ending.status)) instead of 9: \(ending.errors)") }
      if ending.names != ["file.bin.part", "file.bin.sheaf"] { complaints.append("left \(ending.names)") }
      complaints += ending.errorLineComplaints
      stage.serve(bytesPerSecond: 1 << 30)
      stage.origin.clearLog()
      complaints += try stage.complete()
      if stage.origin.log.bytesSent >= stage.entity.size { complaints.append("nothing was kept") }
      return complaints
    }

    /// The process sees errors, ends, and the same command continues after the restart.
    private static func powerCut(_ stage: DiskStage) throws -> [String] {
      stage.serve(bytesPerSecond: 40 << 20)
      let process = try stage.start()
      stage.wait(process, until: stage.dice.bytes(1...stage.entity.size))
      try stage.disk.cutPower()
      let ending = Ending(of: process, in: stage.work)
      try stage.disk.restart()
      var complaints: [String] = []
      if ending.number == nil { complaints.append("\(String(describing: ending.status)): \(ending.errors)") }
      if ending.succeeded {
        // It was faster: then all of it has to be there.
        complaints += stage.entity.difference(fromFileAt: "\(stage.work)/file.bin").map { ["lost: \($0)"] } ?? []
      }
      mkdir(stage.work, 0o755)
      return try complaints + stage.complete()
    }

    /// What was said to be complete is there after the restart.
    private static func powerCutAfterSuccess(_ stage: DiskStage) throws -> [String] {
      var complaints: [String] = []
      let sizes = [1, 5000, 300_001, stage.entity.size]
      for size in sizes {
        let entity = Entity(seed: UInt64(size), size: size)
        stage.origin.serve(entity)
        let ending = try stage.run()
        try stage.disk.cutPower()
        try stage.disk.restart()
        if !ending.succeeded { complaints.append("\(size) bytes: \(ending.errors)") }
        if let difference = entity.difference(fromFileAt: "\(stage.work)/file.bin") {
          complaints.append("lost after status 0: \(difference)")
        }
        try stage.empty()
      }
      return complaints
    }

    private static func powerCutInNewDirectories(_ stage: DiskStage) throws -> [String] {
      let entity = Entity(seed: 77, size: 300_001)
      stage.origin.serve(entity)
      let place = "new\(stage.dice.next())"
      let ending = try Client(arguments: ["-q", "-d", "\(place)/inner", stage.origin.url], directory: stage.disk.path)
        .run()
      try stage.disk.cutPower()
      try stage.disk.restart()
      let difference = entity.difference(fromFileAt: "\(stage.disk.path)/\(place)/inner/file.bin")
      return (ending.succeeded ? [] : [ending.errors]) + (difference.map { ["lost after status 0: \($0)"] } ?? [])
    }
  }
#endif
