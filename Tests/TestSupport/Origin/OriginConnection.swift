/// One client's connection, served by its own thread.
struct OriginConnection {
  let number: Int
  let socket: CInt
  let core: OriginCore

  func run() {
    var reader = RequestReader(socket: socket)
    let wire = OriginWire(socket: socket, stop: core.stop)
    while wire.isOpen, let request = reader.next() {
      answer(request, on: wire)
    }
    let endedByClient = wire.isOpen || wire.isGone
    wire.finish()
    core.ended(connection: number, socket: socket, byClient: endedByClient)
  }

  private func answer(_ request: OriginRequest, on wire: OriginWire) {
    let (place, exchange, behaviour) = core.began(request, connection: number)
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
