import SKANBacktest
import SKANDevice
import SKANBase
import SKANModel

/// The options of `skan backtest`.
enum BacktestOptions {
  static let model = Option<String?>("model", "FILE", .modelFile, "the conversion model that answers every device")
  static let compare = Option<String?>(
    "compare", "FILE", .modelFile, "run every device with this model, too, and print both side by side")
  static let reportCurrency = Option<CurrencyCode?>(
    "report-currency", "CODE", .currencyCode, absent: "that of the model's first revenue range, else USD",
    "the currency of the report (default: that of the model's first revenue range, else USD)")
  static let by = Option<String?>("by", "COLUMN", .text, "count the devices in groups by this column of the input")
  static let startAtFirstRow = Option<Bool>(
    flag: "start-at-first-row",
    "a device whose beginning is not in the input begins with its first row (default: it is left out)")
  static let jobs = Option<Int?>("jobs", "N", .count(from: 1), "how many threads (default: the cores)")
  static let shard = Option<Shard>(
    "shard", "K/N", .shard, default: "1/1",
    "only part K of N, from 1, of the devices (by FNV-1a 64 of the identifier; default 1/1)")
  static let part = Option<Shard?>(
    "part", "K/N", .shard, "with --partial: the input is part K of N, into which the rows were divided by device before"
  )
  static let run = Option<String?>(
    "run", "NAME", .text, "with --part: of the run; parts of one run, and no others, are added up")
  static let grouped = Option<Bool>(
    flag: "grouped", "the rows of each device come together: keep one device in memory")
  static let partial = Option<Bool>(flag: "partial", "print the counts of this part, for --merge")
  static let merge = Option<Bool>(flag: "merge", "the files are parts that --partial printed: add them up")
  static let csv = Option<Bool>(flag: "csv", "print a line a group, model and value")
  static let html = Option<String?>("html", "OUT", .outputFile, "write a page for browsers to this file (- for stdout)")

  /// Those that decide what is counted; a merged report has them from its parts.
  static let ofInput: [OptionRow] =
    [
      model, compare, .rates, .eventAlias, .eventAliasesFile, reportCurrency, by, startAtFirstRow, jobs, shard, part,
      run,
      grouped, partial,
    ] + ExportOptions.all
}

extension ValueParser<Shard> {
  /// `K/N`, from `1/N` to `N/N`.
  static var shard: Self {
    Self(.text) { (given) throws(CommandError) in
      guard let shard = Shard(given.text) else { throw given.mustBe("K/N with K from 1 to N, such as 1/8") }
      return shard
    }
  }
}
