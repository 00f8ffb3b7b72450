import SKANBacktest
import SKANDevice
import SKANBase
import SKANModel

/// The options of `skan model fit`.
enum FitOptions {
  static let values = Option<Int?>(
    "values", "K", .valueCount, "how many values stand for revenue, 1 to 63 with those of --events")
  static let events = Option<[String]>(
    "events", "NAME,…", .eventNames, default: "",
    "these events give a value of their own below those of revenue, later ones a higher")

  static let all: [OptionRow] =
    [
      values, events, .output, .rates,
      BacktestOptions.reportCurrency.described(
        "the currency of the model and of the errors (default: USD)", hasDefault: false),
      BacktestOptions.startAtFirstRow, BacktestOptions.jobs, .json, .quiet,
    ] + ExportOptions.all
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
