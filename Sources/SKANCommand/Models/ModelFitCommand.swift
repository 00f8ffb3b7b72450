import SKANBacktest
import SKANBase
import SKANDevice
import SKANModel
import SKANRun

/// `skan model fit`.
enum ModelFitCommand {
  static let spec = CommandSpec(
    .modelFit, "Fit a model to exported events", arguments: ["FILE"],
    isLastRepeatable: true, argumentFiles: "",
    examples: [
      "skan model fit --values 20 events.csv -o model.json",
      "skan model fit --values 12 --events tutorial_done,level_5 month.jsonl -o model.json",
    ],
    sections: [
      CommandSpec.Section(
        heading: "Printed",
        rows: [
          ("model", "to -o FILE, else to standard output"),
          ("report", "its error, and that of quantiles and equal widths: to standard output with -o, else to stderr"),
          ("--json", "both as one object on standard output"),
        ])
    ]
  ) { (options: FitOptions, invocation) throws(CommandError) in
    let events = options.events
    guard let most = options.values.max() else {
      throw invocation.usage("say how many values stand for revenue: --values K")
    }
    if most + events.count > 63 {
      throw invocation.usage("\(most) values of revenue and \(events.count) of events are more than the 63 there are")
    }
    if options.values.count > 1, options.output != nil {
      throw invocation.usage(
        "several numbers of values are compared, and no model is written: give --output one of them")
    }
    let plan = try plan(options, invocation)
    var input = try BacktestInput(invocation, plan, options.rows)
    let collected = try input.fitInput(events: events)
    try check(collected, options, plan, invocation)
    let fits = options.values.map { values in
      ModelFit(
        collected.devices, values: values, events: events, currency: plan.currency,
        ModelFit.Options(fitsCoarse: options.coarse == .auto && options.values.count == 1, step: options.step))
    }
    if let step = options.step, fits[0].fine.chosen.ladder.boundaries.isEmpty {
      throw .unusable(
        "no multiple of \((Double(step) / 1_000_000).jsonText) can be a boundary: every device has less revenue in its first 48 "
          + "hours, or the multiples are at prices that single precision cannot hold; give a smaller --round")
    }
    if fits.count > 1 {
      try compare(fits, collected.tally, options, invocation.environment)
    } else {
      try write(fits[0], FitReport(fits[0], collected.tally), options, invocation.environment)
    }
    return .ok
  }

  /// Prints the error by number of values, to choose one.
  private static func compare(
    _ fits: [ModelFit], _ tally: InputTally, _ options: FitOptions, _ environment: Environment
  ) throws(CommandError) {
    let output = Output(environment, isQuiet: false, redactor: Redactor(key: nil))
    if options.isJSON { return try output.result(FitReport.choiceFields.text((tally, fits))) }
    let lines = ReportText.lines(FitReport(fits[0], tally).headline, [FitReport.choices(fits)])
    for line in lines { try output.line(line) }
  }

  /// A plan whose model asks for the events.
  private static func plan(_ options: FitOptions, _ invocation: Invocation) throws(CommandError) -> BacktestPlan {
    var model = ConversionModel()
    var mapping = ValueMapping()
    mapping.events = options.events.map { MappedEvent(name: $0) }
    model.fine = [ConversionModel.FineMapping(value: 1, mapping: mapping)]
    let rates = try options.rates.map { (path) throws(CommandError) in try invocation.exchangeRates(path).rates }
    return BacktestPlan(
      [BacktestModel(name: "", hash: 0, model)], rates: rates ?? ExchangeRates(), currency: options.currency ?? .usd,
      startsAtFirstRow: options.startsAtFirstRow)
  }

  private static func write(
    _ fit: ModelFit, _ report: FitReport, _ options: FitOptions, _ environment: Environment
  ) throws(CommandError) {
    let output = Output(environment, isQuiet: options.isQuiet, redactor: Redactor(key: nil))
    let model = JSONWriter.text(fit.model.json, layout: .file) + "\n"
    let file = options.output.flatMap { $0.isStandardOutput ? nil : $0 }
    try file?.write(Array(model.utf8), environment)
    if options.isJSON {
      try output.result(FitReport.fields(model: .any).text(report))
      return
    }
    let lines = ReportText.lines(report.headline, report.parts)
    if file == nil {
      for line in lines { output.note(line) }
      try environment.write(model)
    } else {
      for line in lines { try output.line(line) }
    }
  }

  /// Throws for input from which a fit would draw wrong conclusions.
  private static func check(
    _ input: FitInput, _ options: FitOptions, _ plan: BacktestPlan, _ invocation: Invocation
  ) throws(CommandError) {
    if let (currency, rows) = input.tally.withoutRate.min(by: { $0.key < $1.key }) {
      throw .unusable(
        "\(rows) row\(rows == 1 ? "" : "s") with revenue in \(currency) cannot be converted to \(plan.currency.name): "
          + "\(invocation.name(of: .rates)) FILE gives a rate, \(BacktestOptions.reportCurrency.flag) \(currency) fits in "
          + currency)
    }
    if input.devices.isEmpty {
      throw .unusable(
        "there is no device to fit to"
          + (input.tally.withoutBeginning == 0
            ? ""
            : ": the beginning of all \(input.tally.withoutBeginning) is not in the input; "
              + "\(BacktestOptions.startAtFirstRow.flag) begins with their first row"))
    }
    guard input.devices.contains(where: { !$0.isHeldOut && $0.revenue[.p0] > 0 }) else {
      throw .unusable(
        "no device has revenue in its first 48 hours, those that are held out apart: there is nothing to fit")
    }
    for (name, count) in zip(options.events, input.counts) where count == 0 {
      let near = invocation.nearestEvent(to: name, options.rows.export).map { near in
        near == name
          ? "the input has it, later or of devices whose beginning it lacks"
          : "did you mean \(JSONWriter.quoted(near))?"
      }
      if invocation.environment.isInterrupted() { throw .interrupted }
      throw .unusable(
        "no device has the event \(JSONWriter.quoted(name)) in its first 48 hours; \(near ?? "is that its name?")")
    }
  }
}

struct FitOptions: CommandOptions {
  /// Whether coarse values are fitted.
  enum Coarse: String, CaseIterable, Sendable { case auto, none }

  static let values = Option<[Int]>(
    "values", "K,…", .valueCounts, default: "",
    "how many values stand for revenue, 1 to 63 with those of --events; of several numbers the errors are compared")
  static let coarse = Option<Coarse>(
    "coarse", "auto|none", .choice, default: "auto", "fit coarse values for all three windows, too, or no coarse values"
  )
  static let round = Option<Int?>(
    "round", "AMOUNT", .micros, "use only multiples of this amount as boundaries, such as 0.5, and show what that costs"
  )
  static let events = Option<[String]>(
    "events", "NAME,…", .eventNames, default: "",
    "these events give a value of their own below those of revenue, later ones a higher")

  private static let currency = BacktestOptions.reportCurrency.described(
    "the currency of the model and of the errors (default: USD)", hasDefault: false)

  let values: [Int]
  let events: [String]
  let coarse: Coarse
  /// The millionths whose multiples are the boundaries.
  let step: Int?
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
    coarse = try reader[Self.coarse]
    step = try reader[Self.round]
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

extension ValueParser<[Int]> {
  /// Numbers from 1 to 63, separated by commas.
  fileprivate static var valueCounts: Self {
    Self(.text) { (given) throws(CommandError) in
      if given.text.isEmpty { return [] }
      var counts: [Int] = []
      for text in given.text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let count = Int(text), (1...63).contains(count) else {
          throw given.mustBe("a whole number from 1 to 63, or several with commas between them")
        }
        if counts.contains(count) { throw given.problem("\(count) is named twice") }
        counts.append(count)
      }
      return counts
    }
  }
}

extension ValueParser<Int> {
  /// An amount of money above 0 with at most six decimals, in millionths.
  fileprivate static var micros: Self {
    Self(.text) { (given) throws(CommandError) in
      guard let amount = Double(given.text), amount.isFinite, (0.000_001...1_000_000).contains(amount),
        Double(Int(microUnits: amount)) / 1_000_000 == amount
      else { throw given.mustBe("an amount above 0, such as 0.5, with at most six decimals") }
      return Int(microUnits: amount)
    }
  }
}

extension ValueParser<[String]> {
  /// Names separated by commas.
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

extension Invocation {
  /// The name of an event in the input nearest to one that no device has in time; the name itself if it occurs later.
  ///
  /// The inputs are read again, since a fit keeps only the names that it was asked for. If they cannot be read a second
  /// time, there is no result.
  func nearestEvent(to name: String, _ options: ExportOptions) -> String? {
    guard !positional.contains("-"), var files = try? ExportFiles(self, options, saysGuess: false) else { return nil }
    var names = SeenNames()
    while let input = try? files.next() {
      switch input {
      case .eventList(let source, let file): add(ListReader(file, source, ListReader.Options()), to: &names)
      case .rows(let blocks, let mapping):
        let parser = ExportParser(mapping)
        while let block = try? blocks.next(), !environment.isInterrupted() {
          _ = unsafe parser.parse(block) { row in
            if unsafe row.kind == .event { unsafe names.add(row.name) }
          }
        }
      }
    }
    return names.contains(name) ? name : meantName(by: name, in: names.all.map(\.name))
  }

  private func add(_ reader: ListReader, to names: inout SeenNames) {
    var step = Step(.details)
    while let item = try? reader.next(into: &step), !environment.isInterrupted() {
      if case .step = item, case .event(var name, _) = step.operation { name.withUTF8 { unsafe names.add($0) } }
    }
  }
}
