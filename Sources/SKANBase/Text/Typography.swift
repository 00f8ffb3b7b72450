/// Characters that text programs put in the place of plain ones.
package enum Typography {
  /// The plain character that stands for a typographic quote or dash; nil for any other text.
  package static func plain(_ character: some StringProtocol) -> String? {
    switch character {
    case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{AB}",
      "\u{BB}":
      "\""
    case "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2212}": "-"
    default: nil
    }
  }
}
