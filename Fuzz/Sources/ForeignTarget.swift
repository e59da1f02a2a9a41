import SheafCore

/// F9. Which program, then its control file: what is claimed lies within the file, and nothing large is made of little.
func fuzzForeign(_ input: Input) {
  var input = input
  let kind = input.byte()
  let bytes = Array(input.rest)
  let (progress, peak) = heapPeak { () -> ForeignProgress? in
    switch kind % 3 {
    case 0: Aria2ControlFile.parse(bytes)
    case 1: AxelStateFile.parse(bytes)
    default: LftpStatusFile.parse(bytes)
    }
  }
  // A bit of a bitfield can begin a range of 16 bytes, and arrays grow by doubling.
  require(peak <= (64 << 10) + 400 * bytes.count, "\(peak) bytes of memory for \(bytes.count)")
  guard let progress else { return }
  require(progress.total > 0 && progress.total <= 1 << 60, "\(progress.total) bytes")
  require(progress.complete.byteCount <= progress.total, "more than all")
  var end: Int64 = -1
  for range in progress.complete.ranges {
    require(range.lower > end && range.upper > range.lower && range.upper <= progress.total, "\(range)")
    end = range.upper
  }
}
