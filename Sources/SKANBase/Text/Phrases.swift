extension Int {
  /// `1 file`, `2 files`.
  ///
  /// - Parameter many: the plural where it is not the singular and an s.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? "\(one)s")"
  }

  /// A part of a whole in per cent with one decimal, rounded half away from 0: `12.5 %`; `-` where the whole is 0.
  package func percent(of whole: Int) -> String {
    if whole == 0 { return "-" }
    let (part, all) = (Int128(magnitude), Int128(whole.magnitude))
    let tenths = (part * 2000 + all) / (all * 2)
    return "\((self < 0) != (whole < 0) && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) %"
  }

  /// `1st`, `2nd`, `11th`.
  package var ordinal: String { String(writing: { $0.append(ordinal: Int64(self)) }) }
}

extension ByteText {
  /// Adds `1st`, `2nd`, `11th`.
  package mutating func append(ordinal number: Int64) {
    append(number)
    switch (number % 10, number % 100) {
    case (_, 11...13): append("th")
    case (1, _): append("st")
    case (2, _): append("nd")
    case (3, _): append("rd")
    default: append("th")
    }
  }
}

extension String {
  /// The text, or where it is longer than `limit` characters its beginning and a mark.
  package func truncated(to limit: Int, _ mark: String = "…") -> String {
    count > limit ? "\(prefix(limit))\(mark)" : self
  }
}

extension StringProtocol {
  /// With a first letter that is a capital; the others stay as they are.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [String] {
  /// `a, b and c`.
  ///
  /// - Parameter word: what stands before the last.
  package func listed(_ word: String = "and") -> String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}

extension UInt64 {
  /// 16 hexadecimal digits.
  package var hexText: String { String(self, radix: 16).leftPadded(to: 16, with: "0") }
}
