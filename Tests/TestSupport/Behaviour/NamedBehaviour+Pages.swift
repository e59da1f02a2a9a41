/// O-34, O-35: pages for people in place of the file.
extension NamedBehaviour {
  static let pages = [
    NamedBehaviour("html-200-after-4", "O-34", "200 with a page from the fifth request on") { _ in
      .correct.page(on: .after(4))
    }.ending(with: .either),
    NamedBehaviour("html-206-after-4", "O-34", "206 with the asked range's label and a page, from the fifth on") { _ in
      .correct.page(labelled: true, on: .after(4))
    }.ending(with: .either),
    NamedBehaviour("html-206-of-right-length", "O-34", "the same, padded to the range's length") { _ in
      .correct.page(labelled: true, padded: true, on: .after(4))
    }.ending(with: .either),
    NamedBehaviour("html-200-of-right-length", "O-34", "200 with a page padded to the file's size, from the fifth on") {
      _ in
      .correct.page(padded: true, on: .after(4))
    }.ending(with: .either),
    NamedBehaviour("html-only", "O-34", "200 with a page for everything") { _ in .correct.page() }
      .ending(with: .failure).with { $0.needsDigest = true },
    NamedBehaviour("captive-portal", "O-35", "a redirect to a login page for everything") { _ in
      .correct.redirectingToLogin()
    }.ending(with: .failure).with {
      $0.needsDigest = true
      $0.neighbours = { _ in [login] }
    },
    NamedBehaviour("captive-portal-after-4", "O-35", "the same from the fifth request on") { _ in
      .correct.redirectingToLogin(on: .after(4))
    }.ending(with: .either).with { $0.neighbours = { _ in [login] } },
  ]

  private static let login = Neighbour("/login", Entity(seed: 0, size: 0), .correct.page())
}
