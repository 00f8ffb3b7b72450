import SKANBase
import SKANDevice
import SKANModel

/// `skan model convert`.
enum ModelConvertCommand {
  private static let currency = Option<CurrencyCode?>(
    "currency", "CODE", .currencyCode, "of amounts without one: Google Analytics leaves it to the property")

  struct Options: CommandOptions {
    let output: OutputFile?
    let currency: CurrencyCode?
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      output = try reader.output(.output)
      currency = try reader[ModelConvertCommand.currency]
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    .modelConvert, "Convert Google Analytics' schema or a flat CSV table to a model",
    arguments: ["FILE"], argumentFiles: "",
    examples: [
      "skan model convert schema.json --currency EUR -o model.json", "skan model convert table.csv",
    ],
    sections: [
      CommandSpec.Section(
        heading: "Forms, found by the content",
        rows: [
          ("Analytics", "SKAdNetworkConversionValueSchema of the Google Analytics Admin API, v1alpha"),
          ("CSV", ModelTable.columns.joined(separator: ",")),
          ("", "a row is an entry; rows of one window and value hold together; the highest value counts"),
        ])
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let path = invocation.positional[0]
    let environment = invocation.environment
    let bytes =
      try path == "-"
      ? environment.files.readInput() : environment.readRequired(path, hint: "it should hold a model in another form")
    let output = Output(environment, isQuiet: options.isQuiet, redactor: Redactor(key: nil))
    let source = path.inputName
    let converted = try invocation.converted(bytes, of: source, currency: options.currency?.name, output)
    let text = JSONWriter.text(converted.json, layout: .file) + "\n"
    try (options.output ?? .standard).write(Array(text.utf8), environment)
    return .ok
  }
}

extension Invocation {
  fileprivate func converted(
    _ bytes: [UInt8], of source: String, currency: String?, _ output: Output
  ) throws(CommandError) -> ConversionModel {
    let hint = ": --currency CODE says which"
    func refused(_ message: String) -> CommandError {
      .content(file: source, [SourceNote(location: TextLocation(of: 0..<0, in: bytes), message: message)])
    }
    let kind = ModelSourceKind(bytes)
    switch kind {
    case .model: throw refused("this is a conversion model in our form already: 'skan model check' checks it")
    case .foreign: throw refused(kind.advice(source) ?? "")
    case .unknown:
      throw refused(
        "this is neither Google Analytics' schema (with \"postbackWindowOne\") nor a CSV table; other forms are not read"
      )
    case .table:
      do throws(SourceNotes) {
        return try ModelTable.read(bytes, currency: currency, hint: hint)
      } catch {
        throw .content(file: source, error.notes, more: error.more)
      }
    case .analyticsSchema, .broken:
      let result = try content(of: source, bytes) { () throws(SourceProblems) in
        let schema = try AnalyticsSchema(bytes)
        if currency == nil, let range = schema.amountRange {
          throw [
            SourceProblem(
              "amounts are in the currency of the property, which the schema does not name\(hint)", at: range)
          ]
        }
        return try schema.converted(currency: currency)
      }
      for note in SourceProblems(result.remarks).notes(in: bytes) {
        var note = note
        note.message = "note: \(note.message)"
        for line in note.lines(file: source) { output.note(line) }
      }
      return result.model
    }
  }
}

extension ModelSourceKind {
  /// The advice for a file in another format given as a model; nil if the reader of models reports what is wrong.
  func advice(_ file: String) -> String? {
    switch self {
    case .analyticsSchema: "this is Google Analytics' schema: 'skan model convert \(file)' makes a model of it"
    case .foreign(let form):
      "this looks like \(form.rawValue), which is not read; write it as Google Ads' schema, or as a CSV table with the columns of "
        + "'skan model convert --help'"
    case .table, .model, .unknown, .broken: nil
    }
  }
}
