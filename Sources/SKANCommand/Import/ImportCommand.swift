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

  struct Options: CommandOptions {
    /// Where the list goes; nil for `--check`.
    let output: OutputFile?
    let isCheck: Bool
    let export: ExportOptions
    let models: [ModelArgument]
    let aliases: AliasOptions
    /// The file of exchange rates.
    let rates: String?
    let isJSON: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      let target = try reader.oneOf([ImportCommand.output, check])
      output = try reader.output(ImportCommand.output, if: target == ImportCommand.output)
      isCheck = target == check
      export = try ExportOptions(reader)
      // Without a list and without the check the command says what to give.
      let ofCheck = OptionReader.Condition(output == nil, "belongs to \(check.flag)")
      models = try reader[model, ofCheck]
      aliases = try reader.depending(on: ofCheck) { () throws(CommandError) in try AliasOptions(reader) }
      rates = try reader[ImportCommand.rates, ofCheck]
      isJSON = try reader[json, ofCheck]
      isQuiet = try reader[quiet]
      if models.isEmpty, !aliases.pairs.isEmpty {
        throw reader.refused(OptionRow.eventAlias, "belongs to \(model.flag)")
      }
    }
  }

  static let spec = CommandSpec(
    .import, "Make an event list from exported events", arguments: ["FILE"],
    isLastRepeatable: true, argumentFiles: "",
    examples: [
      "skan import --check --model model.json export.csv.gz", "skan import -o events.jsonl part-*.csv",
      "skan import -o - --preset appsflyer --timezone UTC raw.csv | skan replay -",
      "duckdb -c \"COPY (SELECT * FROM 'events.parquet') TO '/dev/stdout' (FORMAT csv, HEADER)\" | skan import --check -",
    ], sections: ImportHelp.sections
  ) { (options: Options, invocation) throws(CommandError) in
    if options.output == nil, !options.isCheck {
      throw invocation.usage("say where the list goes, as in -o events.jsonl (- for stdout), or \(check.flag)")
    }
    var run = try ImportRun(invocation, options)
    try run.read()
    if let output = options.output {
      try run.write(to: output)
      if !options.isQuiet {
        invocation.environment.printError(ImportReportText.summary(run.report).map { .remark($0) })
      }
    } else {
      try run.count()
      if options.isJSON {
        try invocation.environment.write(JSONWriter.text(run.report) + "\n")
      } else {
        try invocation.environment.print(ImportReportText.lines(run.report))
      }
    }
    return .ok
  }

  /// The models and rates of `--check`.
  static func knowledge(
    _ options: Options, _ invocation: Invocation
  ) throws(CommandError) -> ([ConversionModel], ExchangeRates?) {
    var models: [ConversionModel] = []
    for argument in options.models { models.append(try invocation.readModel(argument.path, for: argument.app)) }
    let aliases = try invocation.eventAliases(options.aliases)
    try aliases.check(models, invocation)
    let rates = try options.rates.map { (path) throws(CommandError) in try invocation.exchangeRates(path).rates }
    return (models.map { $0.renamingEvents(aliases.names) }, rates)
  }
}
