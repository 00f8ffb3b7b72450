import SKANDevice
import SKANBase
import SKANModel

/// `skan model explain` and `decode`.
enum ModelCommands {
  private static let fine = Option<Int64?>(
    "fine", "N", .integer(in: 0...63, "from 0 to 63"), "a fine value, 0-63")
  private static let coarse = Option<CoarseValue?>("coarse", "VALUE", .coarse, "a coarse value: low, medium or high")
  private static let window = Option<ConversionWindow>(
    "window", "N", .window, default: "0", "the postback of the coarse value: 0, 1 or 2")

  static let explain = CommandSpec(
    "model explain", "print a conversion model as tables: value and what a user did for it", arguments: ["FILE"],
    options: [.json], examples: ["skan model explain fixtures/models/mixed.json"]
  ) { (invocation) throws(CommandError) in
    let model = try invocation.readModel(invocation.positional[0])
    let output = Output(invocation.environment, isQuiet: false, redactor: Redactor(key: nil))
    if invocation[.json] {
      let tables = model.tables.map { table in
        JSON.object([
          ("title", .string(table.title)),
          (
            "values",
            .array(
              table.rows.map {
                .object([
                  ("value", .string($0.value)), ("meaning", .string($0.meaning)), ("never", .optional($0.never)),
                ])
              })
          ),
        ])
      }
      try output.result(JSONWriter.text(.array(tables)))
      return .ok
    }
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

  static let decode = CommandSpec(
    "model decode", "say what a value of a postback means", arguments: ["FILE"],
    options: [fine, coarse, window, .json],
    examples: [
      "skan model decode fixtures/models/mixed.json --fine 12",
      "skan model decode fixtures/models/mixed.json --coarse high --window 1",
    ]
  ) { (invocation) throws(CommandError) in
    let (value, window) = try value(invocation)
    let model = try invocation.readModel(invocation.positional[0])
    let output = Output(invocation.environment, isQuiet: false, redactor: Redactor(key: nil))
    guard let mapping = model.mapping(of: value) else {
      output.error(.remark("the model gives \(value.name) to no install"))
      return .expectationFailed
    }
    let never = model.unreachable[value]
    if invocation[.json] {
      try output.result(
        JSONWriter.text(
          .object([
            ("value", .string(value.name)), ("window", .integer(Int64(window.rawValue))),
            ("meaning", .string(mapping.displayText)),
            ("min_hours", mapping.minHours.map(JSON.integer) ?? .null),
            ("max_hours", mapping.maxHours.map(JSON.integer) ?? .null),
            ("events", .array(mapping.events.map { DecodedEvent($0).json })),
            ("never", .optional(never)),
          ])))
    } else {
      let never = never.map { " [never: \($0)]" } ?? ""
      try output.line("\(value.name, .bold): \(mapping.displayText)\(never, .finding)")
    }
    return .ok
  }

  /// The value that is asked for, and its window.
  private static func value(_ invocation: Invocation) throws(CommandError) -> (ModelValue, ConversionWindow) {
    switch (try invocation[fine], try invocation[coarse]) {
    case (let number?, nil):
      if invocation.has(window) {
        throw invocation.usage("--window goes with --coarse: fine values belong to postback 0")
      }
      return (.fine(number), .p0)
    case (nil, let value?):
      let window = try invocation[window]
      return (.coarse(value, window), window)
    default: throw invocation.usage("give one of --fine N and --coarse low|medium|high")
    }
  }
}
