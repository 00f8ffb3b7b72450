import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANReceive

/// The options of `skan report` that value postbacks: `--worth` and what belongs to it.
struct WorthReportOptions: Sendable {
  static let worth = Option<String?>(
    "worth", "FILE", .namedFile,
    "the revenue to day 35 of each campaign, by what 'skan model worth -o FILE' says that values are worth")
  static let spend = Option<String?>(
    "spend", "FILE", .namedFile,
    "with --worth: what campaigns cost, as CSV with the columns \(SpendTable.columns.joined(separator: ","))")
  static let tiers = FitOptions.tiers.described(
    "with --worth: the shares of installs with tiers 0 to 3, by which an install without a value is worth less or more")
  static let rates = OptionRow.rates.described(
    "with --spend: exchange rates per US dollar, {\"EUR\":0.92}, or a CSV table date,currency,rate by day")

  let file: String
  let spendFile: String?
  let shares: [Double]?
  let ratesFile: String?

  /// - Parameter others: the options that go with other reports.
  static func read(_ reader: OptionReader, excluding others: [OptionRow]) throws(CommandError) -> WorthReportOptions? {
    let file = try reader[worth]
    let isGiven = OptionReader.Condition(file != nil, "belongs to \(worth.flag) FILE")
    let spendFile = try reader[spend, isGiven]
    let shares = try reader[tiers, isGiven]?.shares
    let ratesFile = try reader[
      rates, OptionReader.Condition(spendFile != nil, "belongs to \(spend.flag) FILE")]
    guard let file else { return nil }
    if let other = others.first(where: reader.has) {
      throw reader.refused(other, "groups counts, and \(worth.flag) values campaigns: leave one out")
    }
    return WorthReportOptions(file: file, spendFile: spendFile, shares: shares, ratesFile: ratesFile)
  }

  func write(
    _ report: PostbackReport, _ output: FormOptions, _ invocation: Invocation
  ) throws(CommandError) {
    let environment = invocation.environment
    let bytes = try environment.readRequired(
      file, as: [.worth], hint: "it should hold what 'skan model worth -o' wrote", most: 1 << 30)
    let worth = try invocation.content(of: file, bytes) { () throws(SourceProblems) in try Worth(bytes) }
    let reports = CampaignReports(report, worth, tiers: shares, try spend(worth, invocation))
    if reports.isEmpty {
      throw .unusable(
        "no install is among the \(report.received.counted("postback")): only verified first postbacks count")
    }
    switch output.form {
    case .json: try environment.write(JSONWriter.text(reports) + "\n")
    case .csv: try environment.write(reports.csv)
    case .text, .other:
      if !output.isPageAlone { try environment.print(ReportText.lines(reports.headline, reports.parts)) }
    }
    try output.page?.write(Array(reports.html.utf8), environment)
  }

  private func spend(_ worth: Worth, _ invocation: Invocation) throws(CommandError) -> SpendTable? {
    guard let spendFile else { return nil }
    let rates = try ratesFile.map { (path) throws(CommandError) in try invocation.exchangeRates(path).rates }
    let bytes = try invocation.environment.readRequired(
      spendFile, as: [.spend, .table], hint: "it should hold what campaigns cost, as CSV")
    guard let currency = CurrencyCode(worth.currency) else {
      throw .unusable("the worths of \(file.oneLine) are in no currency: \(JSONWriter.quoted(worth.currency))")
    }
    do throws(SourceNotes) {
      return try SpendTable(bytes, in: currency, rates ?? ExchangeRates())
    } catch {
      throw .content(file: spendFile, error.notes, more: error.more)
    }
  }
}
