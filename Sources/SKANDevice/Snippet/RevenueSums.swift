extension SnippetRules {
  /// The precision of revenue sums.
  public enum Sums: Sendable {
    /// In single precision.
    case single
    /// Double precision, after rounding the old sum to single precision.
    case double

    /// The sum after adding an amount.
    @inline(__always)
    public func adding(_ amount: Double, to sum: Double) -> Double {
      switch self {
      case .single: Double(Float(sum) + Float(amount))
      case .double: Double(Float(sum)) + amount
      }
    }
  }
}
