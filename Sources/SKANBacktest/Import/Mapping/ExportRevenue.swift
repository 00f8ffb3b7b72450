import SKANDevice

/// Where a row has its revenue.
package struct ExportRevenue: Sendable, Equatable {
  /// The first of these that is not empty is the amount.
  package var amount: [ExportColumn]
  package var currency: [ExportColumn]
  /// Of all amounts, where no column says it.
  package var code: CurrencyCode?
  /// Amounts are millionths.
  package var isMicros = false
  /// Keys of amount and currency, where the column holds a JSON object.
  package var keys: Keys?
  /// An amount without a currency is something else than revenue.
  package var needsCurrency = false

  package struct Keys: Sendable, Equatable {
    package var amount: String
    package var currency: String

    package init(amount: String, currency: String) {
      self.amount = amount
      self.currency = currency
    }
  }

  package init(
    _ amount: [ExportColumn], currency: [ExportColumn] = [], code: CurrencyCode? = nil, isMicros: Bool = false,
    keys: Keys? = nil, needsCurrency: Bool = false
  ) {
    self.amount = amount
    self.currency = currency
    self.code = code
    self.isMicros = isMicros
    self.keys = keys
    self.needsCurrency = needsCurrency
  }
}
