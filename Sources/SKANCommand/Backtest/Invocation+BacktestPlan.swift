import SKANBacktest
import SKANDevice
import SKANModel
import SKANBase

extension Invocation {
  /// What the options ask for.
  func backtestPlan(_ options: BacktestOptions.Input) throws(CommandError) -> BacktestPlan {
    guard let path = options.model else { throw usage("name the model: \(BacktestOptions.model.flag) FILE") }
    let model = try backtestModel(path)
    let other = try options.compare.map { (path) throws(CommandError) in try backtestModel(path) }
    let rates = try options.rates.map { (path) throws(CommandError) in try exchangeRates(path) }
    var hash = fnv1a(rates?.bytes ?? [], after: fnv1a(""))
    let aliases = try eventAliases(options.aliases)
    try aliases.check([model.model] + (other.map { [$0.model] } ?? []), self)
    for (from, to) in aliases.names.sorted(by: { $0.key.literallyPrecedes($1.key) }) {
      hash = fnv1a("\(from)=\(to)\n", after: hash)
    }
    func renamed(_ named: BacktestModel) -> BacktestModel {
      BacktestModel(name: named.name, hash: named.hash, named.model.renamingEvents(aliases.names))
    }
    return BacktestPlan(
      renamed(model), other: other.map(renamed), rates: rates?.rates ?? ExchangeRates(),
      currency: options.currency ?? model.model.firstCurrency ?? .usd, startsAtFirstRow: options.startsAtFirstRow,
      shard: options.shard, groupColumn: options.by, optionsHash: hash)
  }

  private func backtestModel(_ path: String) throws(CommandError) -> BacktestModel {
    let model = try readModel(path)
    let bytes = try environment.readRequired(try modelPath(path).path, hint: "it should hold a conversion model")
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return BacktestModel(name: name, hash: fnv1a(path.contains("#") ? bytes + Array(path.utf8) : bytes), model)
  }
}

extension ConversionModel {
  /// That of the first range of revenue; nil in a model without one.
  fileprivate var firstCurrency: CurrencyCode? {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    return mappings.lazy.compactMap(\.revenueRange).first.flatMap { CurrencyCode($0.currency) }
  }
}
