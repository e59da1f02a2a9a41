import CCurl
import SheafCore

/// A login and the ways in which it may be shown to a server that asks for one.
struct LoginAnswer: Hashable, Sendable {
  let login: Login
  /// Never `basic`: that needs no question and goes out as a header field.
  let scheme: Authentication.Scheme

  /// libcurl's bits for it.
  var schemes: Int {
    let digest = 1 << 1
    let basic = 1 << 0
    return scheme == .digest ? digest : digest | basic
  }
}
