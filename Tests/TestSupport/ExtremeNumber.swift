/// Numbers at the edges of what programs can hold.
public enum ExtremeNumber {
  /// The least and the largest 64-bit integers and their neighbours, those of 63, 53 and 32 bits, the ends of the calendar,
  /// and decimals that are too large or too small.
  public static let texts = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "9007199254740991",
    "9007199254740993", "1e400", "-0", "-1", "0.5", "18446744073709551615", "18446744073709551616", "2147483648",
    "-2147483649", "4611686018427387904", "-4611686018427387905", "253402300799", "253402300800", "-62135596801",
    "1e308",
    "-1e308", "1e-400", "99999999999999999999999",
  ]

  /// The text with the number at each of its places replaced, one place at a time.
  ///
  /// - Parameters:
  ///   - count: the most places, spread over the text.
  ///   - round: which of the numbers the first place gets; the others get those that follow.
  public static func variants(of text: String, atMost count: Int, round: Int) -> [String] {
    let places = text.ranges(of: /-?\d+(\.\d+)?/)
    let step = max(1, (places.count + count - 1) / max(1, count))
    return stride(from: round % step, to: places.count, by: step).map { index in
      text.replacingCharacters(in: places[index], with: texts[(index + round) % texts.count])
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
