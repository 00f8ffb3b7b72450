extension String {
  /// A minus and then a number, as a refund has it.
  var looksNegative: Bool {
    // The first takes "-inf" and "-nan" too, which are then refused as amounts.
    Double(self) != nil || dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
  }
}
