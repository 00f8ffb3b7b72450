import SKANBase

extension String {
  /// Every character with a width and a shape of its own: those that are hidden and what XML forbids are shown as
  /// `\u{202E}`.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isEscaped) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isEscaped { text += scalar.swiftEscape } else { text.unicodeScalars.append(scalar) }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isEscaped: Bool { isHidden || isOutsideXML }
}
