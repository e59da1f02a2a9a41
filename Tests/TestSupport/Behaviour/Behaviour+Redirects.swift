/// Redirects: to elsewhere, along a chain, in a circle.
extension Behaviour {
  /// A redirect to a path of this origin or to a whole URL.
  package func redirecting(to target: String, status: Int = 302, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { exchange, answer in
      let latency = answer.latency
      answer = .page(status)
      answer.latency = latency
      answer.headers["Location"] = target.hasPrefix("/") ? exchange.base + target : target
    }
  }

  /// Redirects that often before the path is served. The query counts the hops, so that each client has its own.
  package func redirecting(hops: Int, status: Int = 302) -> Behaviour {
    redirectingAlong(Occasion { Self.hopsTaken($0) < hops }, status: status)
  }

  /// Redirects to itself for ever.
  package func redirectingInCircles(status: Int = 302) -> Behaviour {
    amending { exchange, answer in
      answer = .page(status)
      answer.headers["Location"] = exchange.base + exchange.request.target
    }
  }

  private func redirectingAlong(_ occasion: Occasion, status: Int) -> Behaviour {
    amending(on: occasion) { exchange, answer in
      answer = .page(status)
      answer.headers["Location"] = "\(exchange.base)\(exchange.request.path)?hop=\(Self.hopsTaken(exchange) + 1)"
    }
  }

  private static func hopsTaken(_ exchange: OriginExchange) -> Int {
    exchange.request.query.flatMap { $0.hasPrefix("hop=") ? Int($0.dropFirst(4)) : nil } ?? 0
  }
}
