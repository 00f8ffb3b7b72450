import SKANBacktest
import SKANDevice
import SKANBase
import SKANModel

/// The options of `skan model fit`.
struct FitOptions: CommandOptions {
  static let values = Option<Int?>(
    "values", "K", .valueCount, "how many values stand for revenue, 1 to 63 with those of --events")
  static let events = Option<[String]>(
    "events", "NAME,…", .eventNames, default: "",
    "these events give a value of their own below those of revenue, later ones a higher")

  private static let currency = BacktestOptions.reportCurrency.described(
    "the currency of the model and of the errors (default: USD)", hasDefault: false)

  let values: Int?
  let events: [String]
  let output: OutputFile?
  /// The file of exchange rates.
  let rates: String?
  let currency: CurrencyCode?
  let startsAtFirstRow: Bool
  let isJSON: Bool
  let isQuiet: Bool
  let rows: RowOptions

  init(_ reader: OptionReader) throws(CommandError) {
    values = try reader[Self.values]
    events = try reader[Self.events]
    output = try reader.output(.output)
    rates = try reader[.rates]
    currency = try reader[Self.currency]
    startsAtFirstRow = try reader[BacktestOptions.startAtFirstRow]
    let jobs = try reader[BacktestOptions.jobs]
    isJSON = try reader[.json]
    isQuiet = try reader[.quiet]
    rows = RowOptions(jobs: jobs, export: try ExportOptions(reader), saysGuess: !isQuiet)
  }
}

extension ValueParser<Int> {
  fileprivate static var valueCount: Self {
    Self(.integer) { (given) throws(CommandError) in
      guard let count = Int(given.text), (1...63).contains(count) else {
        throw given.mustBe("a whole number from 1 to 63")
      }
      return count
    }
  }
}

extension ValueParser<[String]> {
  /// Names with commas between them.
  fileprivate static var eventNames: Self {
    Self(.text) { (given) throws(CommandError) in
      if given.text.isEmpty { return [] }
      let names = given.text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      for (index, name) in names.enumerated() {
        if names[..<index].contains(name) { throw given.problem("\(JSONWriter.quoted(name)) is named twice") }
        if MappedEvent(name: name).isRevenueOnly {
          throw given.problem("\(name) is no event: --values are about revenue")
        }
        if let warning = Warning.about(eventName: name).first {
          throw given.problem("\(JSONWriter.quoted(name)): \(warning.message)")
        }
      }
      return names
    }
  }
}
