extension String {
  /// At most so many characters, with a mark behind them where there are more.
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
