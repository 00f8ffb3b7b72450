import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel

/// `skan model explain`.
enum ModelExplainCommand {
  private static let fine = Option<Int64?>(
    "fine", "N", .integer(in: 0...63, "from 0 to 63"), "a fine value, 0-63")
  private static let coarse = Option<CoarseValue?>("coarse", "VALUE", .coarse, "a coarse value: low, medium or high")
  private static let window = Option<ConversionWindow>(
    "window", "N", .window, default: "0", "the postback of the coarse value: 0, 1 or 2")

  struct Options: CommandOptions {
    let fine: Int64?
    let coarse: CoarseValue?
    let window: ConversionWindow
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      fine = try reader[ModelExplainCommand.fine]
      coarse = try reader[ModelExplainCommand.coarse]
      window = try reader[
        ModelExplainCommand.window,
        OptionReader.Condition(coarse != nil, "goes with --coarse: fine values belong to postback 0")]
      isJSON = try reader[.json]
      if fine != nil, coarse != nil {
        throw reader.invocation.usage("give one of --fine N and --coarse low|medium|high")
      }
    }

    /// The requested value and its window; nil for all values.
    var value: (ModelValue, ConversionWindow)? {
      if let fine { return (.fine(fine), .p0) }
      return coarse.map { (.coarse($0, window), window) }
    }
  }

  static let spec = CommandSpec(
    "model explain", "Show a conversion model as tables, or what a value of a postback means", arguments: ["FILE"],
    examples: [
      "skan model explain fixtures/models/mixed.json", "skan model explain fixtures/models/mixed.json --fine 12",
      "skan model explain fixtures/models/mixed.json --coarse high --window 1",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let model = try invocation.readModel(invocation.positional[0])
    let output = Output(invocation.environment, isQuiet: false)
    if let (value, window) = options.value { return try show(value, window, of: model, isJSON: options.isJSON, output) }
    if options.isJSON {
      try output.result(JSONWriter.text(model.tables))
      return .ok
    }
    if let text = model.description { try output.line("\(text.oneLine)\n") }
    for (index, table) in model.tables.enumerated() {
      if index > 0 { try output.line("") }
      try output.line(StyledText(table.title, .bold))
      let width = table.rows.map(\.value.count).max() ?? 0
      for row in table.rows {
        var line: StyledText = "  \(row.value.padded(to: width))  \(row.meaning)"
        if let never = row.never { line.append(" [never: \(never)]", .finding) }
        line.indent = width + 4
        try output.line(line)
      }
    }
    if model.givesOnlyFineValues {
      try output.line("\nNo coarse value: \(ConversionModel.lostWithoutCoarse).")
    }
    if let hours = model.measurementHours { try output.line("\nMeasures the first \(hours) hours.") }
    return .ok
  }

  static let decodedFields = JSONFields<
    (value: ModelValue, window: ConversionWindow, mapping: ValueMapping, never: String?)
  > {
    JSONField("value") { $0.value.name }
    JSONField("window", as: .integer(0...2)) { $0.window.rawValue }
    JSONField("meaning") { $0.mapping.displayText }
    JSONField("min_hours", as: JSONForm.count.orNull) { $0.mapping.minHours }
    JSONField("max_hours", as: JSONForm.count.orNull) { $0.mapping.maxHours }
    JSONField("events") { $0.mapping.events.map { DecodedEvent($0) } }
    JSONField("never") { $0.never }
  }

  /// Shows what a value means.
  private static func show(
    _ value: ModelValue, _ window: ConversionWindow, of model: ConversionModel, isJSON: Bool, _ output: Output
  ) throws(CommandError) -> ExitCode {
    guard let mapping = model.mapping(of: value) else {
      output.error([.remark("the model gives \(value.name) to no install")])
      return .expectationFailed
    }
    let never = model.unreachable[value]
    if isJSON {
      try output.result(decodedFields.text((value, window, mapping, never)))
    } else {
      let never = never.map { " [never: \($0)]" } ?? ""
      try output.line("\(value.name, .bold): \(mapping.displayText)\(never, .finding)")
    }
    return .ok
  }
}

extension ConversionModel.Table: JSONObjectWritable {
  package static let fields = JSONFields<ConversionModel.Table> {
    JSONField("title") { $0.title }
    JSONField("values", list: rowFields) { $0.rows }
  }

  private static let rowFields = JSONFields<ConversionModel.Row> {
    JSONField("value") { $0.value }
    JSONField("meaning") { $0.meaning }
    JSONField("never") { $0.never }
  }
}
