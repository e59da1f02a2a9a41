import SheafCore

/// F5. What a manifest on disk, honest or forged, makes of the next run: every byte that it does not claim is asked
/// for, none that it claims is, what the check of the blocks refutes is fetched after all, and it ends.
func fuzzRecovery(_ input: Input) {
  var input = input
  let choices = input.byte()
  let refuted = input.number(bytes: 4)
  let file = ManifestFile(&input)
  guard let manifest = decoded(file.bytes)?.manifest else { return }
  // With a digest segments stay small: larger files would only take longer.
  guard choices & Recovery.withDigest == 0 || manifest.total <= 1 << 35 else { return }
  var recovery = Recovery(manifest, choices: choices, refuted: refuted)
  recovery.run()
}

private struct Recovery {
  static let withDigest: UInt8 = 4
  private let manifest: Manifest
  private let map: BlockMap
  private let refuted: [Int]
  private var machine: DownloadMachine
  /// Bytes that are good: claimed and not refuted, or brought.
  private var present = RangeSet()
  private var requests: [TransferRequest] = []
  private var isSealed = false
  private var isResumed = false
  private let now = Instant(nanoseconds: 1)

  init(_ manifest: Manifest, choices: UInt8, refuted: UInt64) {
    self.manifest = manifest
    map = BlockMap(total: manifest.total, blockSize: manifest.blockSize)
    self.refuted = (0..<map.count).filter { manifest.blocks[$0] && refuted >> UInt64($0 % 32) & 1 == 1 }
    var settings = DownloadMachine.Settings()
    settings.connections = [1, 2, 16, 32][Int(choices & 3)]
    settings.hasDigest = choices & Self.withDigest != 0
    settings.minimumSplitSize = choices & 8 == 0 ? nil : 1 << 20
    let place = Location(url: "https://a.example/f", origin: .init(scheme: "https", host: "a.example", port: 443))
    machine = DownloadMachine(
      place, settings: settings,
      resumed: .init(
        identity: manifest.identity, blocks: map, complete: manifest.blocks, isFromElsewhere: choices & 16 != 0),
      existing: nil)
  }

  mutating func run() {
    for run in manifest.blocks.ranges(where: true) { present.insert(map.range(of: run)) }
    carryOut(machine.begin(now: now))
    // Without proof of identity it starts over, which is not this target's matter.
    guard isResumed else { return }
    for index in refuted { present.remove(map.range(of: index)) }
    carryOut(machine.refuted(refuted, now: now))
    carryOut(machine.audited(now: now))
    var answers = 0
    while let request = requests.popLast() {
      answers += 1
      require(answers < 100_000, "does not end")
      answer(request)
    }
    require(isSealed, "ends without sealing")
    require(present == RangeSet([ByteRange(0, manifest.total)]), "seals \(present.byteCount) of \(manifest.total)")
  }

  private mutating func answer(_ request: TransferRequest) {
    let range = request.question.range
    carryOut(machine.answered(request.id, .range(range, manifest.identity), now: now))
    carryOut(machine.advanced(request.id, to: range.upper, now: now))
    present.insert(range)
    carryOut(machine.ended(request.id, .finished, now: now, random: 0.5))
  }

  private mutating func carryOut(_ actions: [DownloadMachine.Action]) {
    for action in actions {
      switch action {
      case .request(let request):
        guard isResumed else { continue }
        let range = request.question.range
        require(range.upper <= manifest.total, "asks for \(range) of \(manifest.total)")
        // A thief asks for what its victim still has.
        if !machine.isRacing(request.id) {
          require(present.intersection(in: range).isEmpty, "asks for \(range), of which some is there")
          require(
            !requests.contains { !machine.isRacing($0.id) && $0.question.range.intersection(range) != nil },
            "asks for \(range) twice")
        }
        requests.append(request)
      case .abort(let id): requests.removeAll { $0.id == id }
      case .layOut(let layout): isResumed = layout.isResumed
      case .prove(let indices): for index in indices { present.remove(map.range(of: index)) }
      case .shrink(let id, let end):
        guard let index = requests.firstIndex(where: { $0.id == id }) else { continue }
        let range = requests[index].question.range
        requests[index].question.range = ByteRange(range.lower, end)
        carryOut(machine.shrunk(id, to: end, now: now))
      case .seal: isSealed = true
      case .fail(let failure): complain("fails: \(failure)")
      default: break
      }
    }
  }
}
