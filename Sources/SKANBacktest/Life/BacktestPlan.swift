import SKANDevice
import SKANModel
import SKANBase

/// A model as a backtest gets it.
package struct BacktestModel: Sendable {
  /// The file's name without its folder.
  package let name: String
  /// FNV-1a (64 bits) of the file's bytes.
  package let hash: UInt64
  package let model: ConversionModel

  package init(name: String, hash: UInt64, _ model: ConversionModel) {
    self.name = name
    self.hash = hash
    self.model = model
  }
}

/// What a backtest is asked for.
package struct BacktestPlan: Sendable {
  package let model: BacktestModel
  /// The one that it is compared with.
  package let other: BacktestModel?
  package let rates: ExchangeRates
  /// Of the report.
  package let currency: CurrencyCode
  /// Whether a device whose beginning is not in the input begins with its first row; otherwise it is left out.
  package let startsAtFirstRow: Bool
  package let shard: Shard
  package let header: BacktestHeader
  /// The events that the models ask for.
  let names: EventNames

  /// - Parameters:
  ///   - groupColumn: the column of `--by`.
  ///   - optionsHash: of everything else that decides the numbers: the mapping of the input and the rates.
  package init(
    _ model: BacktestModel, other: BacktestModel? = nil, rates: ExchangeRates = ExchangeRates(), currency: CurrencyCode,
    startsAtFirstRow: Bool = false, shard: Shard = .whole, groupColumn: String? = nil,
    optionsHash: UInt64 = 0
  ) {
    self.model = model
    self.other = other
    self.rates = rates
    self.currency = currency
    self.startsAtFirstRow = startsAtFirstRow
    self.shard = shard
    let models = [model.model] + (other.map { [$0.model] } ?? [])
    let names = Set(models.flatMap(\.eventNames).filter { $0 != Device.sessionEventName }).sorted()
    self.names = EventNames(names)
    func summary(_ model: BacktestModel) -> BacktestHeader.ModelSummary {
      BacktestHeader.ModelSummary(model, DecodeTable(model.model, currency: currency, rates))
    }
    header = BacktestHeader(
      model: summary(model), other: other.map(summary), currency: currency.name, groupColumn: groupColumn,
      options: fnv1a("\(startsAtFirstRow)\n", after: optionsHash), names: names)
  }
}
