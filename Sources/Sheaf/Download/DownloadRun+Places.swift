import SheafCore

/// Where transfers run and connect: loops, addresses, warm connections.
extension DownloadRun {
  func start(_ request: TransferRequest) {
    connectionsPeak = max(connectionsPeak, machine.activeTransfers)
    launch(request)
  }

  /// Starts a transfer on the loop and at the address that suit best: those of a connection that waits for it, if that
  /// is well.
  func launch(_ request: TransferRequest) {
    let origin = request.location.origin
    openBook(for: origin)
    let left = takeWarm(for: origin)
    let loop = engine.loop(after: left?.loop, home: loop)
    var address: String?
    if request.question.isOpen, let trusted = books[origin]?.measure {
      address = trusted
    } else if let left, left.loop === loop, books[origin]?.mayUse(left.route) ?? true {
      address = left.route
    } else {
      address = books[origin]?.next()
    }
    let route = address.map { address in
      let isOneOfSeveral = books[origin]?.hasAlternative(to: address) == true
      let patience = isOneOfSeveral ? min(Self.addressPatience, settings.connectTimeout) : settings.connectTimeout
      return TransferRoute(address: address, connectTimeout: patience)
    }
    places[request.id] = Place(loop: loop, request: request, address: address)
    loop.start(request, over: route, for: ObjectIdentifier(self), settings: settings, file: file) { [self] news in
      deliver { run in
        let rest = run.follow(news)
        if !rest.isEmpty { run.take(rest.map { ($0, .news($1)) }) }
      }
    }
  }

  /// Opens the connections that the answer on its way will probably find use for.
  func openSpares(to address: String, port: Int, roundTrip: Double, on loop: TransferLoop) {
    guard !leavesAddresses, options.addresses.interface == nil else { return }
    let count = machine.worthOpening(roundTrip: roundTrip, share: budgets.fairShare(of: machine.host))
    if count > 0 { loop.carryOut { $0.openSpares(count, to: address, port: port) } }
  }

  func takeWarm(for origin: Location.Origin) -> WarmConnection? {
    warm.lastIndex { $0.origin == origin }.map { warm.remove(at: $0) }
  }

  /// Begins to note the addresses of a server, and asks the system for those it has.
  func openBook(for origin: Location.Origin) {
    guard !leavesAddresses, books[origin] == nil else { return }
    let host = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    let entries = options.resolve.compactMap { ResolveEntry($0) }.filter { $0.host == host && $0.port == origin.port }
    guard entries.isEmpty else {
      books[origin] = AddressBook(given: entries.flatMap(\.addresses).filter(options.addresses.allows))
      return
    }
    books[origin] = AddressBook()
    // The system is not to be asked where another server is.
    guard machine.settings.mostTransfers(hosts: 1) > 1, !ResolveEntry.isNumeric(host), options.addresses.dohURL == nil
    else { return }
    Task {
      let addresses = await engine.names.addresses(of: host)
      books[origin]?.learn(addresses.filter(options.addresses.allows))
    }
  }

  /// Keeps the books about loops and addresses, before the machine hears the news and asks for more; returns what it
  /// should hear. What concerns one address alone is settled here: the same request is made at another one.
  func follow(_ news: [(TransferID, TransferNews)]) -> [(TransferID, TransferNews)] {
    news.filter { id, one in
      guard let place = places[id] else { return true }
      let origin = place.request.location.origin
      switch one {
      case .opened(let address, let port, let seconds):
        openSpares(to: address, port: port, roundTrip: seconds, on: place.loop)
      case .connected(let address):
        places[id]?.address = address
        books[origin]?.answered(address, wasChosen: place.isRouted)
      case .unreached(let isGivenUp):
        guard let address = place.address, books[origin]?.failed(address) == true, !isGivenUp else { break }
        divert(id, "\(printable(address)) does not answer: trying another address")
      case .answered(.changed):
        // Two servers with one name may hold two versions. The measure is the one that answered first.
        places[id]?.isAnswered = true
        guard
          let address = place.address, let trusted = books[origin]?.trusted, address != trusted,
          books[origin]?.failed(address) == true
        else { break }
        divert(id, "\(printable(address)) has another version: trying another address")
      case .answered:
        places[id]?.isAnswered = true
      case .left(let keepsConnection):
        leave(id, place, keepsConnection: keepsConnection)
      default:
        break
      }
      return places[id]?.isDiverted != true
    }
  }

  func divert(_ id: TransferID, _ reason: String) {
    places[id]?.isDiverted = true
    channel.send(.decision(reason))
  }

  func leave(_ id: TransferID, _ place: Place, keepsConnection: Bool) {
    places[id] = nil
    if keepsConnection {
      warm.append(
        WarmConnection(
          loop: place.loop, origin: place.request.location.origin, route: place.isRouted ? place.address : nil))
      if warm.count > Self.mostWarm { warm.removeFirst() }
    }
    guard place.isDiverted else { return }
    var request = place.request
    let range = request.question.range
    if let end = place.end { request.question.range = ByteRange(range.lower, max(range.lower, min(range.upper, end))) }
    launch(request)
  }

  /// Ends a transfer. Nothing else is done before it has ended: what follows may be that its bytes are thrown away.
  func abort(_ id: TransferID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let owner = ObjectIdentifier(self)
    unfinishedAborts += 1
    place.loop.carryOut { [self] loop in
      loop.abort(id, of: owner)
      deliver { run in
        run.unfinishedAborts -= 1
        if run.unfinishedAborts == 0 { run.handle([]) }
      }
    }
  }

  /// Moves transfers away from a loop that has no time left. A transfer moves as one that is replaced does: it ends
  /// where it is, and the machine asks for the rest anew.
  func relieve(_ now: Instant) {
    guard places.count > 1, now.seconds(since: movedAt ?? startedAt) >= Self.moveInterval else { return }
    let relief = engine.relief { loop in places.values.count { $0.loop === loop && $0.isAnswered } }
    guard let relief else { return }
    movedAt = now
    channel.send(.decision("an event loop is busy: \(relief.count) of its transfers go to another"))
    let movable = places.filter { $1.loop === relief.from && $1.isAnswered }.keys.sorted { $0.number > $1.number }
    for id in movable.prefix(relief.count) { shrink(id, to: 0) }
  }

  func extend(_ id: TransferID, to offset: Int64) {
    let owner = ObjectIdentifier(self)
    places[id]?.loop.carryOut { $0.extend(id, of: owner, to: offset) }
  }

  func shrink(_ id: TransferID, to offset: Int64) {
    let owner = ObjectIdentifier(self)
    places[id]?.loop.carryOut { [self] loop in
      guard let end = loop.shrink(id, of: owner, to: offset) else { return }
      deliver { run in
        run.places[id]?.end = end
        run.take([(id, .shrunk(to: end))])
      }
      loop.concludeIfDone(id, of: owner)
    }
  }
}
