#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import TestSupport
import Testing

@Suite("The built command, to standard output", .timeLimit(.minutes(2)))
struct StandardOutputTests {
  /// Runs a line of a shell, in which $SHEAF is the command.
  private func shell(_ line: String, in directory: TemporaryDirectory? = nil) async throws -> ChildProcess.Result {
    let sheaf = try builtProduct("sheaf")
    return try await ChildProcess(
      "/bin/bash", ["-c", "set -o pipefail; \(line)"],
      environment: ["SHEAF": sheaf, "http_proxy": nil, "all_proxy": nil, "XDG_STATE_HOME": "/dev/null"],
      directory: directory?.path
    ).result()
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test(
    "gives every byte in order, and says everything else on standard error", arguments: ["", "--window=1M", "--json"])
  func pipe(option: String) async throws {
    let entity = Entity(seed: 61, size: (40 << 20) + 17)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let run = try await shell("\"$SHEAF\" \(option) -o - \(origin.url) | sha256sum", in: directory)
    #expect(run.status == .exited(0))
    #expect(run.output == "\(hexadecimal(entity.sha256()))  -\n")
    #expect(run.errors.contains(option == "--json" ? "\"event\":\"complete\"" : "sheaf: file.bin: 40.0 MiB in "))
    #expect(directory.names() == [])
  }

  @Test("into a file of the shell's, and quietly")
  func file() async throws {
    let entity = Entity(seed: 62, size: 3_000_000)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let run = try await shell("\"$SHEAF\" -q -o - \(origin.url) > out", in: directory)
    #expect(run.status == .exited(0) && run.errors == "")
    #expect(entity.matches(fileAt: directory.file("out")))
  }

  @Test("a reader who leaves early is no accident: one line, and the status of a failed write")
  func leaves() async throws {
    let entity = Entity(seed: 63, size: 64 << 20)
    let origin = try Origin(entity: entity)
    let run = try await shell("\"$SHEAF\" -o - \(origin.url) | head -c 10 > /dev/null; echo ${PIPESTATUS[0]}")
    #expect(run.output == "17\n")
    #expect(run.errors == "sheaf: error: standard output was closed before all was written\n")
  }

  /// A pipe with a name, whose reading end is held open here, and the command writing to it.
  private func piped(_ options: String, _ origin: Origin, _ directory: TemporaryDirectory) throws -> (
    child: ChildProcess, end: Int32
  ) {
    let path = directory.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    // Without waiting for who writes; reading waits from then on.
    let end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    #expect(fcntl(end, F_SETFL, 0) == 0)
    let child = try ChildProcess(
      "/bin/bash", ["-c", "exec \"$SHEAF\" \(options) -o - \(origin.url) > pipe"],
      environment: ["SHEAF": try builtProduct("sheaf"), "http_proxy": nil, "XDG_STATE_HOME": "/dev/null"],
      directory: directory.path)
    return (child, end)
  }

  @Test("a slow reader holds the download up, and memory stays small")
  func slow() async throws {
    let entity = Entity(seed: 64, size: 72 << 20)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let (child, end) = try piped("-q --window=4M", origin, directory)
    #expect(await origin.reached(seconds: 60) { $0.bytesSent >= 4 << 20 })
    let (position, memory) = await offThePool {
      var (position, memory): (Int64, Int64) = (0, 0)
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while case let count = read(end, &buffer, buffer.count), count > 0 {
        if buffer[..<count] != entity.bytes(in: position..<position + Int64(count))[...] { break }
        position += Int64(count)
        if position == entity.size { memory = peakMemory(of: child.pid) }
        // The window, what is in the pipe, and what is in the sockets' buffers.
        if origin.log.bytesSent > position + (48 << 20) { break }
      }
      close(end)
      return (position, memory)
    }
    #expect(position == entity.size)
    let run = await child.result()
    #expect(run.status == .exited(0) && run.errors == "")
    #expect(memory < 64 << 20, "\(memory)")
  }

  @Test("a wrong checksum is status 32, said loudly at the end")
  func checksum() async throws {
    let entity = Entity(seed: 65, size: 9 << 20)
    let origin = try Origin(entity: entity)
    let wrong = String(repeating: "0", count: 64)
    let run = try await shell(
      "\"$SHEAF\" -o - --checksum=sha-256=\(wrong) \(origin.url) | wc -c; echo ${PIPESTATUS[0]}")
    #expect(run.output == "\(entity.size)\n32\n")
    #expect(run.errors.contains("sheaf: error: the sha-256 digest is ") && run.errors.contains("handed out"))
    let right = hexadecimal(entity.sha256())
    let good = try await shell("\"$SHEAF\" -o - --checksum=sha-256=\(right) \(origin.url) | wc -c")
    #expect(good.status == .exited(0) && good.errors.contains("verified sha-256"))
  }

  @Test("decodes gzip, and says when it is none or damaged")
  func decompress() async throws {
    let directory = try TemporaryDirectory()
    // Two members, as `cat a.gz b.gz` has them.
    let made = try await shell(
      "seq 1 200000 > plain; (head -n 100 plain | gzip; tail -n +101 plain | gzip) > good.gz; head -c 5000 good.gz > short.gz",
      in: directory)
    #expect(made.status == .exited(0))
    let server = try PythonFileServer(root: directory.path)
    let good = try await shell("\"$SHEAF\" -q -o - --decompress \(server.url("/good.gz")) | cmp - plain", in: directory)
    #expect(good.status == .exited(0), "\(good.errors)")
    for name in ["short.gz", "plain"] {
      let bad = try await shell("\"$SHEAF\" -o - --decompress \(server.url("/\(name)")) > /dev/null", in: directory)
      #expect(bad.status == .exited(22), "\(bad.errors)")
      #expect(bad.errors.contains("gzip"))
    }
  }

  @Test(
    "what makes no sense is a usage error",
    arguments: [
      "-o - http://127.0.0.1:1/a http://127.0.0.1:1/b", "-d x -o - http://127.0.0.1:1/a",
      "--window=1M http://127.0.0.1:1/a",
      "--decompress http://127.0.0.1:1/a", "-o - -i list", "-o - x.meta4", "--window=0 -o - http://127.0.0.1:1/a",
    ])
  func usage(arguments: String) async throws {
    let run = try await shell("\"$SHEAF\" \(arguments)")
    #expect(run.status == .exited(28), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test("a signal ends it at once, also while nobody reads", arguments: [2, 15] as [Int32])
  func signals(signal: Int32) async throws {
    let entity = Entity(seed: 66, size: 64 << 20)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let (child, end) = try piped("--window=4M", origin, directory)
    defer { close(end) }
    #expect(await origin.reached(seconds: 60) { $0.bytesSent >= 4 << 20 })
    child.kill(signal)
    let run = await child.result()
    #expect(run.status == .exited(7))
    #expect(run.errors.contains("stopped"))
  }
}

/// The most memory that a process which still runs has had, in bytes; 0 where the system does not say. What `wait4` says
/// counts what the process was before it became the program.
private func peakMemory(of pid: Int32) -> Int64 {
  guard let file = fopen("/proc/\(pid)/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard text.hasPrefix("VmHWM:") else { continue }
    return (Int64(text.filter { $0.isNumber }) ?? 0) << 10
  }
  return 0
}
