import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANRun

/// `skan model fit`.
enum ModelFitCommand {
  static let spec = CommandSpec(
    "model fit", "Fit a model to exported events", arguments: ["FILE"],
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
          (
            "report",
            "its error, and that of quantiles, equal ratios and k-means: to standard output with -o, else to stderr"
          ),
          ("--json", "both as one object on standard output"),
        ])
    ]
  ) { (options: FitOptions, invocation) throws(CommandError) in
    let events = options.events
    try options.check(invocation)
    let plan = try plan(options, invocation)
    var input = try BacktestInput(invocation, plan, options.rows, hash: InputHash())
    let collected = try input.fitInput(FitRequest(events: events.names, hours: options.hours))
    try check(collected, options, plan, invocation)
    let samples =
      options.hours.isEmpty
      ? [(nil, collected.devices)] : zip(options.hours.map { $0 as Int? }, collected.measured).map { $0 }
    let isAlone = !options.isComparison
    let reports = samples.flatMap { hours, devices in
      options.values.map { values in
        var fit = ModelFit(
          devices, values: values, events: events, currency: plan.currency,
          ModelFit.Options(
            fitsCoarse: options.coarse == .auto && (isAlone || options.tiers != nil),
            fitsRevenue: !options.leavesRevenueOut, limits: options.limits, step: options.step, hours: hours))
        fit.inputHash = input.inputHash
        return FitReport(
          fit, collected.tally, until: collected.until, fit.errors(collected.devices, measured: devices),
          tiers: options.tiers)
      }
    }
    let (first, environment) = (reports[0], invocation.environment)
    for report in reports { try check(report.fit, options, invocation) }
    if !isAlone { try compare(reports, options, environment) } else { try write(first, options, environment) }
    return .ok
  }

  /// Prints the errors of several fits, to choose one.
  private static func compare(
    _ reports: [FitReport], _ options: FitOptions, _ environment: Environment
  ) throws(CommandError) {
    let output = Output(environment, isQuiet: false)
    if options.isJSON { return try output.result(FitReport.choiceFields.text(reports)) }
    for line in ReportText.lines(reports[0].headline, [FitReport.choices(reports)]) { try output.line(line) }
  }

  /// A plan whose model asks for the events.
  private static func plan(_ options: FitOptions, _ invocation: Invocation) throws(CommandError) -> BacktestPlan {
    var model = ConversionModel()
    var mapping = ValueMapping()
    mapping.events = options.events.names.map { MappedEvent(name: $0) }
    model.fine = [ConversionModel.FineMapping(value: 1, mapping: mapping)]
    let rates = try options.rates.map { (path) throws(CommandError) in try invocation.exchangeRates(path).rates }
    return BacktestPlan(
      [BacktestModel(name: "", hash: 0, model)], rates: rates ?? ExchangeRates(), currency: options.currency ?? .usd,
      startsAtFirstRow: options.startsAtFirstRow, until: options.until)
  }

  private static func write(
    _ report: FitReport, _ options: FitOptions, _ environment: Environment
  ) throws(CommandError) {
    let output = Output(environment, isQuiet: options.isQuiet)
    let model = JSONWriter.text(report.fit.model.json, layout: .file) + "\n"
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

  /// Throws for a fit that found nothing.
  private static func check(_ fit: ModelFit, _ options: FitOptions, _ invocation: Invocation) throws(CommandError) {
    let fine = fit.fine
    guard fine.chosen.ladder.boundaries.isEmpty, fit.events.weights == nil || fine.chosen.count == 0 else { return }
    let devices = fine.leastDevices.counted("fitted device")
    if let step = options.step, !fine.best.ladder.boundaries.isEmpty {
      throw .unusable(
        "no multiple of \((Double(step) / 1_000_000).jsonText) can be a boundary: fewer than \(devices) have that much "
          + "revenue in the first 48 hours, or the multiples are at prices that single precision cannot hold; give a "
          + "smaller --round"
      )
    }
    throw .unusable(
      "no value has \(devices) in the first \(min(fit.hours ?? 48, 48).counted("hour")), where \(fine.fitted.payers) of them "
        + "have revenue; give a smaller \(FitOptions.leastDevices.flag)")
  }

  /// Throws for input from which a fit would draw wrong conclusions.
  private static func check(
    _ input: FitInput, _ options: FitOptions, _ plan: BacktestPlan, _ invocation: Invocation
  ) throws(CommandError) {
    if let (missing, rows) = input.tally.withoutRate.min(by: { $0.key < $1.key }) {
      // Of rates by day the days follow.
      let currency = missing.prefix(3)
      throw .unusable(
        "\(rows) row\(rows == 1 ? "" : "s") with revenue in \(missing) cannot be converted to \(plan.currency.name): "
          + "\(invocation.name(of: .rates)) FILE gives a rate, \(BacktestOptions.reportCurrency.flag) \(currency) fits in "
          + currency)
    }
    if input.devices.isEmpty {
      if input.tally.young[.p0] > 0 { throw .unusable(input.tally.allYoung(input.until)) }
      throw .unusable(
        "there is no device to fit to"
          + (input.tally.withoutBeginning == 0
            ? ""
            : ": the beginning of all \(input.tally.withoutBeginning) is not in the input; "
              + "\(BacktestOptions.startAtFirstRow.flag) begins with their first row"))
    }
    for (hours, devices) in [(48, input.devices)] + zip(options.hours, input.measured) where !options.leavesRevenueOut {
      guard devices.contains(where: { !$0.isHeldOut && $0.revenue[.p0] > 0 }) else {
        throw .unusable(
          "no device has revenue in its first \(hours.counted("hour")), apart from those that are held out: there is "
            + "nothing to fit"
        )
      }
    }
    for (name, count) in zip(options.events.names, input.counts) where count == 0 {
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
    "how many values stand for revenue, 1 to 63 together with those of --events; with several numbers, the errors are "
      + "compared")
  static let hours = Option<[Int]>(
    "window-hours", "H,…", .hours, default: "",
    "the model measures only this many hours after the first call; with several numbers, the errors are compared")
  static let tiers = Option<TierShares?>(
    "tiers", "S0,S1,S2,S3", .tierShares,
    "the shares of installs with tiers 0 to 3, such as 0.2,0.3,0.3,0.2: show the expected error, also in the model's "
      + "description"
  )
  static let noRevenue = Option<Bool>(flag: "no-revenue", "all values are for events, which have weights")
  static let coarse = Option<Coarse>(
    "coarse", "auto|none", .choice, default: "auto", "fit coarse values for all three windows, too, or no coarse values"
  )
  static let round = Option<Int?>(
    "round", "AMOUNT", .micros, "use only multiples of this amount as boundaries, such as 0.5, and show what that costs"
  )
  static let leastWidth = Option<LadderLimits.Least>(
    "least-width", "P%|AMOUNT", .leastWidth, default: "1%",
    "the least width of a range: a percentage of its beginning (at least the currency's smallest unit), or an amount"
  )
  static let leastDevices = Option<LadderLimits.Least>(
    "least-devices", "P%|N", .leastDevices, default: "1%",
    "the least number of fitted devices for a value: a percentage of the devices with revenue (at least 5), or a number"
  )
  static let events = Option<FitEvents>(
    "events", "NAME[=W],…", .fitEvents, default: "",
    "give these events their own values, below those of revenue and rising in this order; with weights in the "
      + "currency, the fit chooses the events, and all values share --values")

  private static let currency = BacktestOptions.reportCurrency.described(
    "the currency of the model and of the errors (default: USD)", hasDefault: false)

  let values: [Int]
  let events: FitEvents
  let hours: [Int]
  let tiers: TierShares?
  /// Whether no value stands for revenue.
  let leavesRevenueOut: Bool
  let coarse: Coarse
  /// The millionths whose multiples are the boundaries.
  let step: Int?
  /// The limits of each range.
  let limits: LadderLimits
  let output: OutputFile?
  /// The file of exchange rates.
  let rates: String?
  let currency: CurrencyCode?
  let startsAtFirstRow: Bool
  let until: Instant?
  let isJSON: Bool
  let isQuiet: Bool
  let rows: RowOptions

  init(_ reader: OptionReader) throws(CommandError) {
    reader.declare(.output, .json, .quiet, under: .output)
    values = try reader[Self.values]
    events = try reader[Self.events]
    hours = try reader[Self.hours]
    tiers = try reader[Self.tiers]
    leavesRevenueOut = try reader[Self.noRevenue]
    coarse = try reader[Self.coarse]
    step = try reader[Self.round]
    limits = LadderLimits(width: try reader[Self.leastWidth], devices: try reader[Self.leastDevices])
    output = try reader.output(.output, replacing: [.model])
    rates = try reader[.rates]
    currency = try reader[Self.currency]
    startsAtFirstRow = try reader[BacktestOptions.startAtFirstRow]
    until = try reader[BacktestOptions.until]
    let jobs = try reader[BacktestOptions.jobs]
    isJSON = try reader[.json]
    isQuiet = try reader[.quiet]
    rows = RowOptions(jobs: jobs, export: try reader[ExportOptions.self], saysGuess: !isQuiet)
  }
}

extension FitOptions {
  /// Whether several fits are compared, and no model is written.
  var isComparison: Bool { values.count > 1 || hours.count > 1 }

  /// Throws for options that do not go together.
  func check(_ invocation: Invocation) throws(CommandError) {
    guard let most = values.max() else {
      throw invocation.usage("say how many values stand for revenue: --values K")
    }
    if events.weights == nil, most + events.names.count > 63 {
      throw invocation.usage(
        "\(most) values of revenue and \(events.names.count) of events are more than the 63 there are")
    }
    if leavesRevenueOut, events.weights == nil {
      throw invocation.usage("--no-revenue leaves all values to events: give --events with weights, such as level_5=2")
    }
    if leavesRevenueOut, step != nil {
      throw invocation.usage("--round is about boundaries of revenue, which --no-revenue leaves out")
    }
    if leavesRevenueOut, invocation.isGiven(Self.leastWidth) {
      throw invocation.usage("--least-width is about ranges of revenue, which --no-revenue leaves out")
    }
    if isComparison, output != nil {
      throw invocation.usage(
        "several numbers of \(values.count > 1 ? "values" : "hours") are compared, and no model is written: give --output one of them"
      )
    }
  }
}

extension ValueParser<[Int]> {
  /// Numbers from 1 to 63, separated by commas.
  fileprivate static var valueCounts: Self { numbers(1...63, "a whole number") }
  /// Numbers of hours from 1 to 840, separated by commas.
  fileprivate static var hours: Self { numbers(1...840, "a whole number of hours") }

  private static func numbers(_ range: ClosedRange<Int>, _ what: String) -> Self {
    Self(.text) { (given) throws(CommandError) in
      if given.text.isEmpty { return [] }
      var numbers: [Int] = []
      for text in given.text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Int(text), range.contains(number) else {
          throw given.mustBe(
            "\(what) from \(range.lowerBound) to \(range.upperBound), or several with commas between them")
        }
        if numbers.contains(number) { throw given.problem("\(number) is named twice") }
        numbers.append(number)
      }
      return numbers
    }
  }
}

extension ValueParser<TierShares> {
  /// Four shares, separated by commas.
  static var tierShares: Self {
    Self(.text) { (given) throws(CommandError) in
      let shares = given.text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard !shares.contains(nil), let tiers = TierShares(shares.compactMap(\.self)) else {
        throw given.mustBe("four shares of installs, of tiers 0 to 3, with the sum 1, such as 0.2,0.3,0.3,0.2")
      }
      return tiers
    }
  }
}

extension ValueParser<Int> {
  /// An amount of money above 0 with at most six decimals, in millionths.
  fileprivate static var micros: Self {
    Self(.text) { (given) throws(CommandError) in
      guard let micros = Int(amount: given.text) else {
        throw given.mustBe("an amount above 0, such as 0.5, with at most six decimals")
      }
      return micros
    }
  }
}

extension ValueParser<LadderLimits.Least> {
  /// A percentage, or an amount of money.
  fileprivate static var leastWidth: Self {
    Self(.text) { (given) throws(CommandError) in
      if let share = Int(share: given.text) { return LadderLimits.Least(share: share) }
      guard let amount = Int(amount: given.text) else {
        throw given.mustBe("a percentage above 0 such as 1%, or an amount above 0 such as 0.05")
      }
      return LadderLimits.Least(amount: amount)
    }
  }

  /// A percentage, or a number of devices.
  fileprivate static var leastDevices: Self {
    Self(.text) { (given) throws(CommandError) in
      if let share = Int(share: given.text) {
        return LadderLimits.Least(share: share, amount: LadderLimits.fewestDevices)
      }
      guard let number = Int(given.text), (1...1_000_000_000).contains(number) else {
        throw given.mustBe("a percentage above 0 such as 1%, or a number of devices from 1 on")
      }
      return LadderLimits.Least(amount: number)
    }
  }
}

extension Int {
  /// A percentage above 0 and at most 100, with at most four decimals, in millionths.
  fileprivate init?(share text: String) {
    guard text.hasSuffix("%"), let micros = Int(amount: text.dropLast()), micros % 100 == 0,
      micros <= 100_000_000
    else { return nil }
    self = micros / 100
  }

  /// An amount of money above 0 with at most six decimals, in millionths.
  fileprivate init?(amount text: some StringProtocol) {
    guard let amount = Double(text), amount.isFinite, (0.000_001...1_000_000).contains(amount),
      Double(Int(microUnits: amount)) / 1_000_000 == amount
    else { return nil }
    self = Int(microUnits: amount)
  }
}

extension ValueParser<FitEvents> {
  /// Names separated by commas, each with a weight or none with one.
  fileprivate static var fitEvents: Self {
    Self(.text) { (given) throws(CommandError) in
      if given.text.isEmpty { return FitEvents([]) }
      var events: [(name: String, weight: Int)] = []
      for text in given.text.split(separator: ",", omittingEmptySubsequences: false) {
        let end = text.lastIndex(of: "=")
        let name = String(text[..<(end ?? text.endIndex)])
        if events.contains(where: { $0.name == name }) {
          throw given.problem("\(JSONWriter.quoted(name)) is named twice")
        }
        if MappedEvent(name: name).isRevenueOnly {
          throw given.problem("\(name) is no event: --values are about revenue")
        }
        if let warning = Warning.about(eventName: name).first {
          throw given.problem("\(JSONWriter.quoted(name)): \(warning.message)")
        }
        let weight = try end.map { (end) throws(CommandError) in
          guard let weight = Int(amount: text[text.index(after: end)...]) else {
            throw given.problem(
              "\(JSONWriter.quoted(String(text))): the weight must be an amount above 0, such as 0.5, with at most six decimals"
            )
          }
          return weight
        }
        events.append((name, weight ?? 0))
      }
      if events.allSatisfy({ $0.weight == 0 }) { return FitEvents(events.map(\.name)) }
      if let none = events.first(where: { $0.weight == 0 }) {
        throw given.problem("\(JSONWriter.quoted(none.name)) has no weight: give each event one, or none")
      }
      if events.count > FitEvents.mostWeights {
        throw given.problem("\(events.count) events have weights, and at most \(FitEvents.mostWeights) may")
      }
      return FitEvents(weights: events)
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
