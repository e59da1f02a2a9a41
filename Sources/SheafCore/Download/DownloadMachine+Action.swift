/// What a download wants done.
extension DownloadMachine {
  package enum Action: Hashable, Sendable {
    /// Start a transfer.
    case request(TransferRequest)
    /// Make a transfer end early; `shrunk` says where it really will.
    case shrink(TransferID, to: Int64)
    /// Let a transfer bring the bytes before this offset, too; it waits where it was told to before.
    case extend(TransferID, to: Int64)
    /// End a transfer now; it reports nothing more.
    case abort(TransferID)
    /// These bytes are in the part file, written by transfers that overlapped: nobody knows their CRC-32 yet.
    case cover(ByteRange)
    /// Tell the budget of this host; `allowed` says what follows.
    case strain(HostStrain, Location.Origin)
    /// Ask for another URL of this source, or for credentials; `renewed` tells what came of it.
    case renew(source: Int, status: Int)
    /// The plan is made: size the part file, make the manifest if `resumable`, tell the user.
    case layOut(Layout)
    /// Fetch these blocks as if they were missing and compare them with what was noted; `disproved` tells if they differ.
    case prove([Int])
    /// Forget these blocks: the bytes there are not the file's.
    case withdraw([Int])
    /// Forget every byte and the manifest: the next ones are of another entity or come another way.
    case discard
    /// Sync what is there and note it in the manifest; `checkpointed` says when.
    case checkpoint
    /// These digests are to be compared in the end, the strongest first.
    case expect([DigestClaim])
    /// Compare the digests; `sealed` says when.
    case seal
    /// Give the file its name; `published` says when.
    case publish
    /// Call `woke` at this time.
    case wake(at: Instant)
    /// The file was there already and is still the server's.
    case concludeAlreadyComplete(Identity)
    /// Everything is done.
    case finish
    /// It cannot go on. Everything worth keeping is to be checkpointed first.
    case fail(Failure)
    case report(Report)
  }

  package struct Layout: Hashable, Sendable {
    package var identity: Identity
    /// Nil while the length is unknown.
    package var blocks: BlockMap?
    package var isResumable: Bool
    /// The part file and manifest already have this layout.
    package var isResumed: Bool
  }

  package enum Report: Hashable, Sendable {
    case retrying(String)
    case warning(String)
    /// The file is another one than it was; a part of a sentence says why.
    case changed(String)
    case decision(String)
  }
}
