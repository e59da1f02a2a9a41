/// Answers that hold no part of the file.
extension Behaviour {
  /// That status with an HTML page. `retryAfter` is the header's text.
  package func status(_ status: Int, retryAfter: String? = nil, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { exchange, answer in
      let pace = (answer.latency, answer.rate)
      answer = .page(status)
      (answer.latency, answer.rate) = pace
      answer.headers["Retry-After"] = retryAfter
      if status == 416 { answer.headers["Content-Range"] = "bytes */\(exchange.entity.size)" }
      if status == 401 { answer.headers["WWW-Authenticate"] = "Basic realm=\"origin\"" }
    }
  }

  /// What happens to a client that has too many connections or requests.
  package enum Excess: Sendable {
    case status(Int, retryAfter: String?)
    case reset
    case hang
  }

  /// Lets that many open connections be served, the oldest ones.
  package func limitingConnections(
    to limit: Int, excess: Excess = .status(503, retryAfter: nil)
  ) -> Behaviour {
    refusing(excess, on: Occasion { $0.connectionsAhead >= limit })
  }

  /// Lets that many requests be answered at a time, whatever connections are open; as nginx's `limit_conn` counts.
  package func limitingRequests(to limit: Int, excess: Excess = .status(503, retryAfter: nil)) -> Behaviour {
    refusing(excess, on: Occasion { $0.requestsInProgress > limit })
  }

  private func refusing(_ excess: Excess, on occasion: Occasion) -> Behaviour {
    switch excess {
    case .status(let status, let retryAfter): self.status(status, retryAfter: retryAfter, on: occasion)
    case .reset: cut(.head(after: 0), .reset, on: occasion)
    case .hang: cut(.head(after: 0), .stall, on: occasion)
    }
  }
}
