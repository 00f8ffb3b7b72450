extension String {
  /// On one line and in ASCII, at most so long: an arrow is `->`, all else that is not visible ASCII `\u{20AC}`.
  package var headerText: String {
    let limit = 1000
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if text.utf8.count > limit { return text + "..." }
      switch scalar {
      case " "..."~": text.unicodeScalars.append(scalar)
      case "→": text += "->"
      default: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return text
  }
}
