import SKANBacktest
import SKANDevice
import SKANModel
import SKANBase

extension Invocation {
  /// What the options ask for.
  func backtestPlan() throws(CommandError) -> BacktestPlan {
    guard let path = try self[BacktestOptions.model] else {
      throw usage("name the model: \(BacktestOptions.model.flag) FILE")
    }
    let model = try backtestModel(path)
    let other = try self[BacktestOptions.compare].map { (path) throws(CommandError) in try backtestModel(path) }
    var (rates, hash) = try exchangeRates()
    let aliases = try eventAliases()
    try aliases.check([model.model] + (other.map { [$0.model] } ?? []), self)
    for (from, to) in aliases.names.sorted(by: { $0.key.literallyPrecedes($1.key) }) {
      hash = fnv1a("\(from)=\(to)\n", after: hash)
    }
    func renamed(_ named: BacktestModel) -> BacktestModel {
      BacktestModel(name: named.name, hash: named.hash, named.model.renamingEvents(aliases.names))
    }
    return BacktestPlan(
      renamed(model), other: other.map(renamed), rates: rates,
      currency: try self[BacktestOptions.reportCurrency] ?? model.model.firstCurrency ?? .usd,
      startsAtFirstRow: self[BacktestOptions.startAtFirstRow], shard: try self[BacktestOptions.shard],
      groupColumn: try self[BacktestOptions.by], optionsHash: hash)
  }

  /// The rates of `--rates`, and a hash of their file.
  func exchangeRates() throws(CommandError) -> (rates: ExchangeRates, hash: UInt64) {
    guard let path = try self[.rates] else { return (ExchangeRates(), fnv1a("")) }
    let bytes = try environment.readRequired(path, hint: "it should hold exchange rates (--rates)")
    try ContentKind.check(bytes, of: path)
    let rates = try content(of: path, bytes) { () throws(SourceProblems) in try ExchangeRates(bytes) }
    return (rates, fnv1a(bytes, after: fnv1a("")))
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
