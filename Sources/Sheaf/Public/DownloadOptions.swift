package import SheafCore

/// How a download is carried out. The defaults are what most people want.
public struct DownloadOptions: Sendable {
  /// The greatest number of connections to one server, 1 to 256.
  public var connections = 16

  /// The greatest number of segments under way at once; nil means as many as `connections`.
  public var split: Int?

  /// No segment is made or split smaller than this, in bytes; nil leaves it to the planner, which starts with 1 MiB and
  /// goes lower in the end where that ends the download sooner.
  public var minimumSplitSize: Int64?

  /// Where the file's name comes from if the destination is a directory.
  public var naming: Naming = .url

  /// Bytes per second that the download may receive; nil is no limit. Where that is little, it uses fewer connections: one
  /// for each 64 KiB per second.
  public var bytesPerSecond: Int64?

  /// More limits, all of which hold. Each may be shared by several downloads, and changed while they run.
  public var limits: [RateLimit] = []

  /// Continue from the part file and manifest of an earlier run; false starts over.
  public var continues = true

  /// Replace an existing file; the old one stays until the new one is complete.
  public var overwrites = false

  /// The digest that the file must have. It also counts as proof of identity.
  public var checksum: Checksum?

  /// A file that lists digests, as `sha256sum` writes it: a path, or an http or https URL, which is fetched first. Its digest
  /// for the download's file counts as `checksum` does; where that is given, too, nobody looks at the list.
  public var checksumFile: String?

  /// What is done with digests that servers offer, where neither of those two was given.
  public var verification = Verification.auto

  /// The digests that its pieces must have. They count as `checksum` does, and only what is wrong is fetched again.
  package var pieces: PieceHashes?

  /// Something of the file is thought to be there; if it is not, a warning says so.
  package var expectsEarlierBytes = false

  /// How many bytes the file must have.
  package var expectedBytes: Int64?

  /// A file that turns out to be larger than this many bytes is not fetched.
  package var mostBytes: Int64?

  /// Other URLs of the same file, the best first: up to 15 of them are asked, too. Bytes are mixed only where they agree on
  /// the file's length and, where they meet, on its bytes; one that serves another file is asked no more.
  public var mirrors: [String] = []

  /// The greatest number of places that are asked for the file, 1 to 16: its URL, `mirrors`, and those that its server
  /// names in `Link` fields (RFC 6249), which are asked only where a digest can tell whether they have the same file.
  public var maximumSources = 16

  /// Extra header fields. They are sent only to the origin (scheme, host, port) of the download's URL.
  public var headers: [HeaderField] = []

  /// Names and passwords for hosts.
  public var netrc: Netrc?

  /// Who is asking.
  public var authentication = Authentication()

  /// Cookies that are kept and sent as servers ask; nil keeps none.
  public var cookies: CookieJar?

  /// Cookies to send besides, such as `a=b; c=d`. They go where `headers` go.
  public var cookie: String?

  /// The page that is said to have the link: the value of `Referer`, or `*` for the download's own URL without what may be
  /// secret. It goes where `headers` go.
  public var referer: String?

  /// The proxies that requests go through.
  public var proxy = ProxyOptions()

  /// What is shown to servers over TLS, and what is asked of them.
  public var tls = TLSOptions()

  /// How names become addresses.
  public var addresses = AddressOptions()

  /// Whether a redirect may lead from https to http. Secrets do not follow it.
  public var allowsDowngrade = false

  /// The `User-Agent` field's value; nil means `Sheaf/VERSION`.
  public var userAgent: String?

  /// A PEM file with the certificate authorities to trust instead of the system's.
  public var certificateAuthorityFile: String?

  /// Addresses to connect to instead of those that the system finds for a host and port, each entry in curl's form
  /// `host:port:address[,address]...`. Certificates are checked against the host's name as ever. Without effect when the
  /// environment names a proxy; `proxy` and `addresses.connectTo` cannot be given with it.
  public var resolve: [String] = []

  /// Whether the server's certificate must be valid for its name. Never remembered between runs.
  public var checksCertificate = true

  /// How long a connection may stay without receiving a byte.
  public var timeout: Duration = .seconds(60)

  /// How long connecting may take, TLS included.
  public var connectTimeout: Duration = .seconds(30)

  /// The least bytes per second, over `minimumSpeedPeriod`: a download that is slower ends with `too-slow`. Time in which its
  /// own limits hold it back or it waits for another try does not count. Nil is no such bound.
  public var minimumSpeed: Int64?

  /// How long a download may be slower than `minimumSpeed`.
  public var minimumSpeedPeriod: Duration = .seconds(30)

  /// How long fetching may take in all; after that the download ends with `timed-out`, and can be continued. Nil is no bound.
  public var maximumTime: Duration?

  /// Whether a file under the target's name is only replaced if the server says that its own was changed later
  /// (`If-Modified-Since`); else the download ends with that file. Needs `overwrites`.
  public var replacesOlder = false

  /// Whether the finished file gets the time of modification that the server states (`Last-Modified`), if it does.
  public var keepsServerTime = false

  /// What of the disk is taken at the start.
  public var allocation = Allocation.sparse

  /// How often in a row a request may fail without a byte of progress; 0 means without limit.
  public var maximumTries = 5

  /// The least time between two tries; it grows with each failure.
  public var retryWait: Duration = .zero

  /// The longest time between two checkpoints while bytes arrive. What came after the last one is fetched again
  /// after a crash.
  public var checkpointInterval: Duration = .seconds(1)

  /// What is synced to the disk, and when.
  public var durability: Durability = .full

  /// What is asked of the program while a download runs. None of it is by default.
  public var hooks = DownloadHooks()

  /// The default options.
  public init() {}
}

/// One header field of a request.
public struct HeaderField: Hashable, Sendable {
  /// The field's name, such as `Authorization`.
  public let name: String
  /// The field's value.
  public let value: String

  /// Makes a header field.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// What is synced to the disk, and when. Every setting survives a crash of the process; only `full`
/// promises the same of a crash of the machine at any moment.
public enum Durability: String, Sendable, CaseIterable {
  /// Data before each checkpoint, the file and its directory before success is reported.
  case full
  /// Data before each checkpoint; publishing does not wait for the disk.
  case checkpoint
  /// Nothing. For files that can be had again, such as those on a RAM disk.
  case off
}

/// Where a file's name comes from, if only its directory is given.
public enum Naming: Sendable, CaseIterable {
  /// The last part of the URL's path.
  case url
  /// What the server suggests by `Content-Disposition` (RFC 6266), else the last part of the path that redirects led to.
  /// A request of one byte asks for it before the download begins, so links that serve only once cannot be named this way.
  case server
}

/// What of the disk a download takes before its bytes come.
public enum Allocation: String, Sendable, CaseIterable {
  /// Nothing; the part file has the file's length and holes. That the space is there is looked at once.
  case sparse
  /// All the space, if the file system can reserve it: then a disk that others fill cannot end the download.
  case reserved
}

/// Where the finished file goes.
public enum Destination: Hashable, Sendable {
  /// A path, absolute or relative to the working directory.
  case file(String)
  /// A directory; `DownloadOptions.naming` says where the name comes from.
  case directory(String)
}
