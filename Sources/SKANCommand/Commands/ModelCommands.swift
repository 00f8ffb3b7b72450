import SKANDevice
import SKANEndpoint
import SKANJSON

/// `skan model check`, `explain` and `decode`.
enum ModelCommands {
  private static let fine = Option("fine", value: "N", "a fine value, 0-63")
  private static let coarse = Option("coarse", value: "VALUE", "a coarse value: low, medium or high")
  private static let window = Option("window", value: "N", "the postback of the coarse value: 0, 1 or 2")

  static let check = CommandSpec(
    "model check", "report everything that is wrong or odd about a conversion model", arguments: ["FILE"],
    options: [.quiet], examples: ["skan model check fixtures/models/iap-revenue.json"]
  ) { (invocation) throws(CommandError) in
    let path = invocation.arguments.positional[0]
    let bytes = try invocation.environment.readRequired(path, hint: "it should hold a conversion model")
    let model = try invocation.content(of: path, bytes) { () throws(SourceProblems) in
      try ConversionModel(faultless: bytes)
    }
    let values = model.fine.count
    let output = Output(invocation.environment, isQuiet: invocation.arguments.has(.quiet), redactor: Redactor(key: nil))
    try output.result("\(path): no problems; \(values) fine \(values == 1 ? "value" : "values")")
    return .ok
  }

  static let explain = CommandSpec(
    "model explain", "print a conversion model as tables: value and what a user did for it", arguments: ["FILE"],
    options: [.json], examples: ["skan model explain fixtures/models/mixed.json"]
  ) { (invocation) throws(CommandError) in
    let model = try invocation.readModel(invocation.arguments.positional[0])
    let output = Output(invocation.environment, isQuiet: false, redactor: Redactor(key: nil))
    if invocation.arguments.has(.json) {
      let tables = model.tables.map { table in
        JSON.object([
          ("title", .string(table.title)),
          (
            "values",
            .array(table.rows.map { .object([("value", .string($0.value)), ("meaning", .string($0.meaning))]) })
          ),
        ])
      }
      try output.result(JSONWriter.text(.array(tables)))
      return .ok
    }
    for (index, table) in model.tables.enumerated() {
      if index > 0 { try output.result("") }
      try output.result(table.title)
      let width = table.rows.map(\.value.count).max() ?? 0
      for row in table.rows {
        try output.result("  \(row.value)\(String(repeating: " ", count: width - row.value.count))  \(row.meaning)")
      }
    }
    if let hours = model.measurementHours { try output.result("\nMeasures the first \(hours) hours.") }
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
    let (name, window, find) = try value(invocation)
    let model = try invocation.readModel(invocation.arguments.positional[0])
    let output = Output(invocation.environment, isQuiet: false, redactor: Redactor(key: nil))
    guard let mapping = find(model) else {
      output.error("skan: the model gives \(name) to nobody")
      return .expectationFailed
    }
    if invocation.arguments.has(.json) {
      try output.result(
        JSONWriter.text(
          .object([
            ("value", .string(name)), ("window", .integer(Int64(window.rawValue))), ("meaning", .string(mapping.words)),
            ("min_hours", mapping.minHours.map(JSON.integer) ?? .null),
            ("max_hours", mapping.maxHours.map(JSON.integer) ?? .null), ("events", .array(mapping.events.map(\.json))),
          ])))
    } else {
      try output.result("\(name): \(mapping.words)")
    }
    return .ok
  }

  /// The value that is asked for: its name, its window, and how a model is asked for it.
  private static func value(
    _ invocation: Invocation
  ) throws(CommandError) -> (String, ConversionWindow, (ConversionModel) -> ValueMapping?) {
    let arguments = invocation.arguments
    if arguments.has(fine) == arguments.has(coarse) {
      throw invocation.usage("give one of --fine N and --coarse low|medium|high")
    }
    if let number = try invocation.integer(fine) {
      guard (0...63).contains(number) else { throw invocation.usage("--fine must be from 0 to 63, it is \(number)") }
      if arguments.has(window) {
        throw invocation.usage("--window goes with --coarse: fine values belong to postback 0")
      }
      return ("fine value \(number)", .p0, { model in model.fine.first { $0.value == number }?.mapping })
    }
    let text = arguments.value(coarse) ?? ""
    guard let value = CoarseValue(rawValue: text) else {
      throw invocation.usage("--coarse must be low, medium or high, it is \(JSONWriter.quoted(text))")
    }
    let index = try invocation.integer(window) ?? 0
    guard let window = ConversionWindow(rawValue: Int(clamping: index)) else {
      throw invocation.usage("--window must be 0, 1 or 2, it is \(index)")
    }
    return (
      "coarse value \(value.rawValue) of postback \(index)", window,
      { model in model.windows[window].coarse.first { $0.value == value }?.mapping }
    )
  }
}

extension MappedEvent {
  fileprivate var json: JSON {
    .object([
      ("event", .string(name)), ("currency", .optional(revenue == nil ? currency : currency ?? "USD")),
      ("revenue_min", revenue.map { .double($0.min) } ?? .null),
      ("revenue_below", revenue?.max.map(JSON.double) ?? .null),
      ("count_min", isRevenueOnly ? .null : .integer(occurrence?.min ?? 1)),
      ("count_max", occurrence?.max.map(JSON.integer) ?? .null),
    ])
  }
}
