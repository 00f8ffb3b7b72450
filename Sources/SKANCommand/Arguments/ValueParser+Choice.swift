import SKANSystem
import SKANDevice
import SKANBase

extension ValueParser where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of an enumeration's names.
  static var choice: Self {
    Self(.choice, values: Value.allCases.map(\.rawValue)) { (given) throws(CommandError) in
      guard let value = Value(rawValue: given.text) else {
        let names = Value.allCases.map(\.rawValue)
        let near = meantName(by: given.text, in: names).map { "; did you mean \($0)?" } ?? ""
        throw given.mustBe((names.count > 1 ? "one of " : "") + names.joined(separator: ", "), hint: near)
      }
      return value
    }
  }
}

extension ValueParser<CoarseValue> {
  static var coarse: Self {
    Self(.choice, values: CoarseValue.allCases.map(\.rawValue)) { (given) throws(CommandError) in
      guard let value = CoarseValue(rawValue: given.text) else {
        let near = meantName(by: given.text, in: CoarseValue.allCases.map(\.rawValue)).map { "; did you mean \($0)?" }
        throw given.mustBe("low, medium or high", hint: near ?? "")
      }
      return value
    }
  }
}

extension ValueParser<ConversionWindow> {
  static var window: Self {
    Self(.choice, values: ConversionWindow.allCases.map { String($0.rawValue) }) { (given) throws(CommandError) in
      let index = try ValueParser<Int64>.integer.parse(given)
      guard let window = ConversionWindow(rawValue: Int(clamping: index)) else {
        throw given.refused("must be 0, 1 or 2, it is \(index)")
      }
      return window
    }
  }
}

extension ValueParser<Glob> {
  static var glob: Self { Self(.pattern) { Glob($0.text) } }
}
