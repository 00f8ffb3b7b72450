import SKANBacktest
import SKANBase
import SKANModel
import SKANSystem
import SKANRun

/// `skan import`: an export of events as an event list.
enum ImportCommand {
  private static let output = OptionRow.output.described(
    "write the event list to this file (- for stdout)", hasDefault: false)
  private static let check = Option<Bool>(
    flag: "check", "write no list, and print what the export holds: rows, devices, currencies, names")
  private static let model = OptionRow.model.described(
    "with --check: which names of its events the export never has (repeatable)")
  private static let rates = OptionRow.rates.described(
    "with --check: which currencies have no rate: {\"EUR\":0.92} per US dollar")
  private static let json = OptionRow.json.described("with --check: print one JSON object")
  private static let quiet = OptionRow.quiet.described("print no summary on stderr")

  static let spec = CommandSpec(
    "import", "make an event list of an export of events: CSV, TSV or JSON Lines, plain or gzip", arguments: ["FILE"],
    isLastRepeatable: true,
    options: [output, check] + ExportOptions.all + [model, .eventAlias, .eventAliasesFile, rates, json, quiet],
    examples: [
      "skan import --check --model model.json export.csv.gz", "skan import -o events.jsonl part-*.csv",
      "skan import -o - --preset appsflyer --timezone UTC raw.csv | skan replay -",
      "duckdb -c \"COPY (SELECT * FROM 'events.parquet') TO '/dev/stdout' (FORMAT csv, HEADER)\" | skan import --check -",
    ], sections: ImportHelp.sections
  ) { (invocation) throws(CommandError) in
    try invocation.checkFiles(reading: invocation.positional)
    let target = try target(invocation)
    var run = try ImportRun(invocation, keepsTexts: target != nil)
    try run.read()
    switch target {
    case nil:
      try run.count()
      if invocation[json] {
        try invocation.environment.write(JSONWriter.text(run.report.json) + "\n")
      } else {
        try invocation.environment.print(ImportReportText.lines(run.report))
      }
    case let path?:
      try run.write(to: path)
      if !invocation[quiet] {
        invocation.environment.printError(ImportReportText.summary(run.report).map { .remark($0) })
      }
    }
    return .ok
  }

  /// Where the list goes; nil for `--check`.
  private static func target(_ invocation: Invocation) throws(CommandError) -> String? {
    let given = invocation.preferred([output, check])
    if given.count > 1 { throw invocation.usage("\(output.flag) and \(check.flag) exclude each other") }
    guard given == [output], let path = try invocation[output] else {
      if given.isEmpty {
        throw invocation.usage("say where the list goes, as in -o events.jsonl (- for stdout), or \(check.flag)")
      }
      return nil
    }
    for option in [model, rates, json, OptionRow.eventAlias, OptionRow.eventAliasesFile] as [OptionRow]
    where invocation.isGiven(option) {
      throw invocation.usage("\(invocation.name(of: option)) belongs to \(check.flag)")
    }
    if path != "-" { try invocation.environment.files.requireOutput(path) }
    return path
  }

  /// The models and rates of `--check`.
  static func knowledge(_ invocation: Invocation) throws(CommandError) -> ([ConversionModel], ExchangeRates?) {
    var models: [ConversionModel] = []
    for argument in try invocation[model] { models.append(try invocation.readModel(argument.path, for: argument.app)) }
    let aliases = try invocation.eventAliases()
    if models.isEmpty, !aliases.given.isEmpty {
      throw invocation.usage("\(invocation.name(of: .eventAlias)) belongs to \(model.flag)")
    }
    try aliases.check(models, invocation)
    var known: ExchangeRates?
    if let path = try invocation[rates] {
      let bytes = try invocation.environment.readRequired(path, hint: "it should hold exchange rates (--rates)")
      try ContentKind.check(bytes, of: path)
      known = try invocation.content(of: path, bytes) { () throws(SourceProblems) in try ExchangeRates(bytes) }
    }
    return (models.map { $0.renamingEvents(aliases.names) }, known)
  }
}
