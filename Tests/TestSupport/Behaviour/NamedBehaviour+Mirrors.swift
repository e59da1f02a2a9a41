/// O-63, O-64: Metalink documents, and mirrors that differ.
extension NamedBehaviour {
  static let metalinkPath = "/file.meta4"
  static let mirrorPath = "/mirror.bin"

  static let mirrors = [
    metalink("metalink-right", "a Metalink with the right size, hash and two mirrors"),
    metalink("metalink-traversal", "a Metalink that names its file ../escape.bin", name: "../escape.bin")
      .ending(with: .either),
    metalink("metalink-absolute", "a Metalink that names its file by an absolute path", name: "/tmp/sheaf-escape.bin")
      .ending(with: .either),
    metalink("metalink-wrong-hash", "a Metalink with the hash of other bytes", lies: true).ending(with: .failure),
    metalink("metalink-wrong-size", "a Metalink with another size", extra: 1).ending(with: .failure),
    metalink("metalink-mixed-mirrors", "a Metalink one of whose mirrors has other bytes", mirror: other)
      .ending(with: .either),
    NamedBehaviour("mirror-differs", "O-64", "a mirror, /mirror.bin, with other bytes of the same size") { _ in .correct
    }
    .ending(with: .either).with { $0.neighbours = { [Neighbour(mirrorPath, other($0))] } },
    NamedBehaviour("mirror-agrees", "O-64", "a mirror, /mirror.bin, with the same bytes") { _ in .correct }
      .with { $0.neighbours = { [Neighbour(mirrorPath, $0)] } },
  ]

  private static func metalink(
    _ name: String, _ summary: String, name file: String = "file.bin", lies: Bool = false, extra: Int64 = 0,
    mirror: @escaping @Sendable (Entity) -> Entity = { $0 }
  ) -> NamedBehaviour {
    NamedBehaviour(name, "O-63", summary) { entity in
      let digest = entity.sha256()
      let hash = hexadecimal(lies ? digest.map { ~$0 } : digest)
      return .correct.amending { exchange, answer in
        answer = OriginAnswer(
          status: 200, headers: ["Content-Type": "application/metalink4+xml"],
          body: OriginBody(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="\(file)">
            <size>\(entity.size + extra)</size><hash type="sha-256">\(hash)</hash>
            <url priority="1">\(exchange.base)\(Origin.defaultPath)</url>
            <url priority="2">\(exchange.base)\(mirrorPath)</url>
            </file></metalink>

            """))
      }
    }.with {
      $0.path = metalinkPath
      $0.neighbours = { [Neighbour(Origin.defaultPath, $0), Neighbour(mirrorPath, mirror($0))] }
    }
  }

  @Sendable private static func other(_ entity: Entity) -> Entity { Entity(seed: ~entity.seed, size: entity.size) }
}
