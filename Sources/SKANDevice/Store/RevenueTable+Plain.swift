import SKANBase

extension RevenueTable {
  /// The table of a text as nearly every request has it, such as `{"USD":9.99}`: one or two currencies, and nothing to spare.
  ///
  /// - Returns: nil for every other text, which is for ``JSONReader``.
  public init?(plain text: UnsafeBufferPointer<UInt8>) {
    guard var text = unsafe PlainJSONScanner(text), text.take("{"), let first = Self.sum(&text) else { return nil }
    var second: (code: CurrencyCode, amount: Double)?
    if text.take(",") {
      second = Self.sum(&text)
      guard let second, second.code != first.code else { return nil }
    }
    guard text.take("}"), text.isAtEnd else { return nil }
    self.init(first, second)
  }

  private static func sum(_ text: inout PlainJSONScanner) -> (code: CurrencyCode, amount: Double)? {
    guard let currency = text.takeString(), let code = unsafe CurrencyCode(currency.bytes), text.take(":"),
      let number = text.takeNumber()
    else { return nil }
    return (code, number.value)
  }
}
