/// One client's connection, served by its own thread.
struct OriginConnection {
  let number: Int
  let socket: CInt
  let core: OriginCore

  func run() {
    guard let stream = OriginStream(socket: socket, tls: core.tls) else {
      core.ended(connection: number, socket: socket, byClient: true)
      return
    }
    var reader = RequestReader(stream)
    let wire = OriginWire(stream, stop: core.stop)
    while wire.isOpen, let request = reader.next() {
      answer(request, on: wire, encrypted: stream.isEncrypted)
    }
    let endedByClient = wire.isOpen || wire.isGone
    wire.finish()
    core.ended(connection: number, socket: socket, byClient: endedByClient)
  }

  private func answer(_ request: OriginRequest, on wire: OriginWire, encrypted: Bool) {
    let (place, exchange, behaviour) = core.began(request, connection: number, encrypted: encrypted)
    let writer = ResponseWriter(exchange: exchange, wire: wire, place: place)
    if let behaviour {
      if let respond = behaviour.respond, respond(request, writer) {
        // The closure has said it all.
      } else {
        writer.write(behaviour.answer(to: exchange))
      }
    } else {
      writer.write(.page(404))
    }
    if !request.wantsKeepAlive { wire.close() }
    core.finished(place)
  }
}
