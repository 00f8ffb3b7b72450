import SKANBase

extension String {
  /// On one line and in ASCII, at most so long: an arrow is `->`, all else that is not visible ASCII `\u{20AC}`.
  package var headerText: String {
    let limit = 1000
    // Bytes, since every request of a server asks for it: appending scalars to a text took a third of a request.
    var text: [UInt8] = []
    text.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if text.count > limit {
        text += "...".utf8
        break
      }
      switch scalar {
      case " "..."~": text.append(UInt8(truncatingIfNeeded: scalar.value))
      case "→": text += "->".utf8
      default: text += scalar.swiftEscape.utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
