import SKANModel

extension ValueParser<String> {
  /// Three capital letters, as ISO 4217 has them.
  static var currencyCode: Self {
    Self(.text) { (given) throws(CommandError) in
      if given.text.isCurrencyCode { return given.text }
      throw given.mustBe("three capital letters, such as USD")
    }
  }
}
