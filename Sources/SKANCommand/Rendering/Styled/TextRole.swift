/// What a part of a line is for a person. On a terminal it is a color; the text says the same without one.
package enum TextRole: Sendable {
  case failure, finding, success, dim, bold

  /// The parameter of the control sequence SGR (ECMA-48) that begins it.
  var code: String {
    switch self {
    case .failure: "31"
    case .finding: "33"
    case .success: "32"
    case .dim: "2"
    case .bold: "1"
    }
  }
}
