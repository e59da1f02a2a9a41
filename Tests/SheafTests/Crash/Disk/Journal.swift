/// What a power cut makes of the steps that were taken: what must be on the disk by then, and what may be.
///
/// The disk keeps any part of what is pending, in any order: steps are independent of each other unless a sync lies
/// between them. A change of names is one step, also where it concerns two of them.
struct Journal: Sendable {
  private(set) var durable: DiskImage
  private(set) var pending: [Step] = []

  init(_ image: DiskImage) { durable = image }

  /// Something that the disk has not promised yet.
  enum Step: Sendable {
    case names(in: Int, [String: Int?])
    case size(Int, to: Int, isCut: Bool, moment: Int)
    case data(Int, Payload, at: Int, moment: Int)
    case mode(Int, UInt32)
    case attribute(Int, String, [UInt8])

    /// The file or directory that it concerns.
    var number: Int {
      switch self {
      case .names(let number, _), .size(let number, _, _, _), .data(let number, _, _, _), .mode(let number, _),
        .attribute(let number, _, _):
        number
      }
    }

    var isMetadata: Bool {
      switch self {
      case .mode, .attribute: true
      case .names, .size, .data: false
      }
    }
  }

  /// How much of a step the disk has kept.
  enum Kept: Hashable, Sendable {
    case nothing
    case all
    /// So many bytes from the start.
    case head(Int)
    /// All but so many bytes from the start.
    case tail(Int)

    var description: String {
      switch self {
      case .nothing: "-"
      case .all: "+"
      case .head(let count): "<\(count)"
      case .tail(let count): ">\(count)"
      }
    }
  }

  mutating func take(_ effect: Effect) {
    switch effect {
    case .madeFile(let number, let owner):
      durable.files[number] = DiskImage.File(owner: owner)
      durable.nextNumber = max(durable.nextNumber, number + 1)
    case .madeDirectory(let number):
      durable.directories[number] = [:]
      durable.nextNumber = max(durable.nextNumber, number + 1)
    case .named(let directory, let names): pending.append(.names(in: directory, names))
    case .wrote(let number, let payload, let offset, let moment):
      pending.append(.data(number, payload, at: offset, moment: moment))
    case .sized(let number, let size, let isCut, let moment):
      pending.append(.size(number, to: size, isCut: isCut, moment: moment))
    case .setMode(let number, let mode): pending.append(.mode(number, mode))
    case .setAttribute(let number, let name, let bytes): pending.append(.attribute(number, name, bytes))
    case .synced(let number): settle { $0.number == number }
    case .syncedData(let number): settle { $0.number == number && !$0.isMetadata }
    case .failedToSync(let number): pending.removeAll { $0.number == number }
    case .noted: break
    }
  }

  private mutating func settle(_ isSynced: (Step) -> Bool) {
    for step in pending where isSynced(step) { Self.apply(step, .all, to: &durable) }
    pending.removeAll(where: isSynced)
  }

  /// The disk as it is found after a power cut that left `kept` of what is pending.
  func image(keeping kept: [Kept]) -> DiskImage {
    var image = durable
    for (step, kept) in zip(pending, kept) { Self.apply(step, kept, to: &image) }
    image.settle()
    return image
  }

  private static func apply(_ step: Step, _ kept: Kept, to image: inout DiskImage) {
    if kept == .nothing { return }
    switch step {
    case .names(let directory, let names):
      for (name, number) in names { image.directories[directory]?[name] = number }
    case .size(let number, let size, let isCut, let moment):
      image.files[number]?.content.setSize(size, isCut: isCut)
      image.files[number]?.modified = moment
    case .data(let number, let payload, let offset, let moment):
      let range =
        switch kept {
        case .nothing: 0..<0
        case .all: 0..<payload.bytes.count
        case .head(let count): 0..<count
        case .tail(let count): count..<payload.bytes.count
        }
      image.files[number]?.content.store(payload, range, at: offset)
      image.files[number]?.modified = moment
    case .mode(let number, let mode): image.files[number]?.mode = mode
    case .attribute(let number, let name, let bytes): image.files[number]?.attributes[name] = bytes
    }
  }
}
