import Dispatch
import Sheaf
import SheafCore
import Synchronization

/// `sheaf verify FILE...`: compares finished files with their digests, as many at once as there are cores.
enum Verify {
  static func run(_ options: VerifyOptions) -> ExitStatus {
    let terminal = options.json || options.isQuiet ? nil : Terminal.behindStandardError()
    let board = VerifyBoard(
      options, results: DescriptorOutput.standardOutput, messages: DescriptorOutput.standardError, terminal: terminal)
    let files = options.paths.map { path in
      Result { () throws(DownloadError) in
        try FileVerification(path, checksum: options.checksum, list: options.checksumFile)
      }
    }
    board.begin(bytes: files.reduce(0) { $0 + ((try? $1.get())?.length ?? 0) })
    let statuses = Mutex([ExitStatus](repeating: .ok, count: files.count))
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      let status = verify(files[index], options.paths[index], board)
      statuses.withLock { $0[index] = status }
    }
    let isLost = board.end()
    return statuses.withLock { $0.last { $0 != .ok } } ?? (isLost ? .fileIO : .ok)
  }

  private static func verify(
    _ file: Result<FileVerification, DownloadError>, _ path: String, _ board: VerifyBoard
  ) -> ExitStatus {
    do throws(DownloadError) {
      let file = try file.get()
      if let list = file.unprovenList { board.warnOfSignature(list) }
      board.tell(path, .success(try file.compare { board.advance($0) }))
      return .ok
    } catch {
      board.tell(path, .failure(error))
      return ExitStatus(error.code)
    }
  }
}
