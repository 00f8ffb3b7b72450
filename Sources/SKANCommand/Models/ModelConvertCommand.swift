import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel

/// `skan model convert`.
enum ModelConvertCommand {
  fileprivate static let currency = Option<CurrencyCode?>(
    "currency", "CODE", .currencyCode,
    "the currency of amounts without one: Google Analytics leaves it to the property")
  private static let form = Option<ModelForm>(
    "to", "FORM", .choice, default: "google", "the form to write: google (default), analytics or csv")
  private static let partial = Option<Bool>(
    flag: "partial", "write what the form can express, and list what it cannot")

  struct Options: CommandOptions {
    let form: ModelForm
    let isPartial: Bool
    let output: OutputFile?
    let currency: CurrencyCode?
    let aliases: GivenPairs
    let isQuiet: Bool
    /// Whether names of Google Analytics' schema are given on the command line.
    let areAliasesGiven: Bool
    let isCurrencyGiven: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      form = try reader[ModelConvertCommand.form]
      isPartial = try reader[
        ModelConvertCommand.partial,
        OptionReader.Condition(
          form != .google,
          "goes with --to analytics or --to csv: Google's schema can express everything")]
      output = try reader.output(.output, replacing: [form.content])
      currency = try reader[ModelConvertCommand.currency]
      aliases = try reader[.eventAlias]
      isQuiet = try reader[.quiet]
      areAliasesGiven = reader.isGiven(.eventAlias)
      isCurrencyGiven = reader.isGiven(ModelConvertCommand.currency)
    }
  }

  static let spec = CommandSpec(
    "model convert", "Convert a model: Google's schema, Google Analytics' schema, CSV",
    arguments: ["FILE"], argumentFiles: "",
    examples: [
      "skan model convert schema.json --currency EUR -o model.json", "skan model convert table.csv",
      "skan model convert model.json --to csv --partial",
      "skan model convert model.json --to analytics --event-alias session_start=__SESSION__",
    ],
    sections: [
      CommandSpec.Section(
        heading: "Forms, found by the content",
        rows: [
          ("Google", "SkAdNetworkConversionValueSchema of Google Ads API, the form of every other command"),
          ("Analytics", "SKAdNetworkConversionValueSchema of the Google Analytics Admin API, v1alpha"),
          ("CSV", ModelTable.columns.joined(separator: ",")),
          ("", "a row is an entry; rows of one window and value hold together; the highest value counts"),
        ]),
      CommandSpec.Section(
        heading: "Lost",
        rows: [
          ("listed", "what the form cannot express, with its place in FILE; nothing is written (exit code 65)"),
          ("--partial", "the rest is written; the list goes to stderr"),
        ]),
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let output = Output(environment, isQuiet: options.isQuiet)
    let source = try ModelSource(invocation, options)
    let model = try source.model(output)
    try source.checkAliases(model)
    guard let reduced = source.reduced(model) else {
      let text = JSONWriter.text(model.json, layout: .file) + "\n"
      try (options.output ?? .standard).write(Array(text.utf8), environment)
      return .ok
    }
    try source.report(reduced, output)
    try (options.output ?? .standard).write(Array(source.text(reduced.model).utf8), environment)
    return .ok
  }
}

/// The file of a model to convert, and what the options say of it.
private struct ModelSource {
  private let invocation: Invocation
  private let options: ModelConvertCommand.Options
  /// The path of the file, or `-`; its name in messages.
  private let path: String
  private var name: String { path.inputName }
  /// The App Store id of the wanted model of several.
  private let app: String?
  private let bytes: [UInt8]
  private let kind: ModelSourceKind
  /// The events of Google Analytics' schema, mapped to those of the model.
  private let aliases: EventAliases

  init(_ invocation: Invocation, _ options: ModelConvertCommand.Options) throws(CommandError) {
    let given = invocation.positional[0]
    (path, app) = options.form == .google ? (given, nil) : try invocation.modelPath(given)
    // The path without `#APP_ID` is not replaced either.
    try invocation.checkFiles(reading: [path])
    let environment = invocation.environment
    bytes =
      try path == "-"
      ? environment.files.readInput()
      : environment.readRequired(path, as: Set(ContentKind.allCases), hint: "it should hold a model")
    try ContentKind.check(
      bytes, of: path.inputName, isOneOf: [.model, .analyticsSchema, .modelTable, .table])
    kind = ModelSourceKind(bytes)
    if app != nil, kind != .model, kind != .unknown {
      throw .missing(file: given, hint: "it should hold a model")
    }
    (self.invocation, self.options) = (invocation, options)
    let isAnalytics = kind == .analyticsSchema || options.form == .analytics
    if options.areAliasesGiven, !isAnalytics {
      throw invocation.usage(
        "\(OptionRow.eventAlias.flag) renames events of Google Analytics' schema, which is neither of the two forms")
    }
    aliases = try isAnalytics ? invocation.eventAliases(options.aliases) : EventAliases(names: [:], given: [])
  }

  private func refused(_ message: String) -> CommandError {
    .content(file: name, [SourceNote(location: TextLocation(of: 0..<0, in: bytes), message: message)])
  }

  /// The model of the file, in the form of this program. Remarks are printed.
  func model(_ output: Output) throws(CommandError) -> ConversionModel {
    let hint = ": --currency CODE says which"
    let currency = options.currency?.name
    switch kind {
    case .model, .unknown:
      guard options.form != .google else {
        throw refused(
          kind == .model
            ? "this is a conversion model in our form already: 'skan model check' checks it"
            : "this is neither Google Analytics' schema (with \"postbackWindowOne\") nor a CSV table; other forms are not read"
        )
      }
      if options.form == .csv, options.isCurrencyGiven {
        throw invocation.usage(
          "\(ModelConvertCommand.currency.flag) has no effect: amounts of Google's schema have a currency")
      }
      let models = try invocation.content(of: name, bytes) { () throws(SourceProblems) in try ModelFile(bytes).models }
      return try invocation.chosen(models, of: path, app)
    case .foreign: throw refused(kind.advice(name) ?? "")
    case .table:
      if options.form == .csv {
        throw refused("this is a CSV table already: --to google or --to analytics converts it")
      }
      do throws(SourceNotes) { return try ModelTable.read(bytes, currency: currency, hint: hint) } catch {
        throw .content(file: name, error.notes, more: error.more)
      }
    case .analyticsSchema, .broken:
      if options.form == .analytics, kind == .analyticsSchema {
        throw refused("this is Google Analytics' schema already: --to google or --to csv converts it")
      }
      let names = aliases.names
      let schema = try invocation.content(of: name, bytes) { () throws(SourceProblems) in try AnalyticsSchema(bytes) }
      try EventAliases.check(aliases.given, are: schema.eventNames, invocation)
      let result = try invocation.content(of: name, bytes) { () throws(SourceProblems) in
        let schema = try schema.renamingEvents(names)
        if currency == nil, let range = schema.amountRange {
          throw [
            SourceProblem(
              "amounts are in the currency of the property, which the schema does not name\(hint)", at: range)
          ]
        }
        return try schema.converted(currency: currency)
      }
      note(result.remarks, output)
      return result.model
    }
  }

  /// Throws for an alias that has no effect on the schema to write, or two of which it could have only one.
  func checkAliases(_ model: ConversionModel) throws(CommandError) {
    guard options.form == .analytics else { return }
    try EventAliases.check(options.aliases.pairs.map(\.value), are: model.entryNames, invocation)
    for (name, ours) in aliases.names.sorted(by: { $0.key < $1.key }) {
      if let other = aliases.names.first(where: { $0.value == ours && $0.key < name })?.key {
        throw invocation.usage(
          "\(JSONWriter.quoted(other)) and \(JSONWriter.quoted(name)) both stand for \(ours): give one event alias for it"
        )
      }
    }
  }

  private func note(_ remarks: [SourceProblem], _ output: Output) {
    for var note in SourceProblems(remarks).notes(in: bytes) {
      note.message = "note: \(note.message)"
      for line in note.lines(file: name) { output.note(line) }
    }
  }

  /// The part of a model that the form to write can say; nil if it can say all.
  func reduced(_ model: ConversionModel) -> ReducedModel? {
    switch options.form {
    case .google: nil
    case .analytics: writer.reduced(model)
    case .csv: ModelTable.reduced(model)
    }
  }

  private var writer: AnalyticsWriter { AnalyticsWriter(aliases: aliases.names, currency: options.currency?.name) }

  /// The text of a model that the form can say.
  func text(_ model: ConversionModel) -> String {
    options.form == .csv ? ModelTable.text(model) : writer.text(model)
  }

  /// Prints what is lost.
  ///
  /// - Throws: the list, unless losses are accepted and something is left.
  func report(_ reduced: ReducedModel, _ output: Output) throws(CommandError) {
    let problems = reduced.losses.map {
      SourceProblem($0.problem.message, at: $0.problem.range, isWarning: options.isPartial)
    }
    let notes = SourceProblems(problems).notes(in: bytes)
    let lines = notes.flatMap { $0.lines(file: name) }
    let form = options.form.displayName
    if let missing = reduced.missing {
      throw .lines(lines + [.remark("nothing is written: \(form) needs \(missing)", .failure)])
    }
    if !problems.isEmpty, !options.isPartial {
      let lost = problems.count.counted("part")
      throw .lines(
        lines + [
          .remark(
            "\(form) cannot express \(lost) of the model; --partial writes the others", .failure)
        ])
    }
    note(reduced.remarks, output)
    output.error(lines)
  }
}

extension ModelForm {
  /// The kind of a file in this form.
  fileprivate var content: ContentKind {
    switch self {
    case .google: .model
    case .analytics: .analyticsSchema
    case .csv: .modelTable
    }
  }
}

extension ModelSourceKind {
  /// The advice for a file in another format given as a model; nil if the reader of models reports what is wrong.
  func advice(_ file: String) -> String? {
    switch self {
    case .analyticsSchema: "this is Google Analytics' schema: 'skan model convert \(file)' converts it to a model"
    case .foreign(let form):
      "this looks like \(form.rawValue), which is not read; write it as Google Ads' schema, or as a CSV table with the columns of "
        + "'skan model convert --help'"
    case .table, .model, .unknown, .broken: nil
    }
  }
}
