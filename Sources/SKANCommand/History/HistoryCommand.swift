import SKANDevice
import SKANBase

/// `skan history` and `skan why`: read the device file without its lock, and write nothing.
enum HistoryCommand {
  private static let json = OptionRow.json.described("print each step as one JSON object a line")

  struct Options: CommandOptions {
    let state: String
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      state = try reader[.state]
      isJSON = try reader[json]
    }
  }

  static let history = CommandSpec(
    .history, "List the steps that the device file keeps",
    examples: ["skan history", "skan history --json | jq .outcome"]
  ) { (options: Options, invocation) throws(CommandError) in
    let text = HistoryText(try DeviceStore(options.state, invocation.environment).read())
    let output = invocation.historyOutput
    if options.isJSON {
      for entry in text.entries { try output.result(JSONWriter.text(entry)) }
    } else {
      for line in text.lines { try output.line(line) }
    }
    return .ok
  }

  static let why = CommandSpec(
    .why, "Explain what happened in the last step, or in another one",
    arguments: ["STEP"], isLastOptional: true, examples: ["skan why", "skan why 3", "skan why 3 --json"]
  ) { (options: Options, invocation) throws(CommandError) in
    let text = HistoryText(try DeviceStore(options.state, invocation.environment).read())
    let entry = try invocation.entry(of: text, in: options.state)
    let output = invocation.historyOutput
    if options.isJSON {
      try output.result(JSONWriter.text(entry))
    } else {
      for line in text.lines(of: entry) { try output.line(line) }
      if let finding = entry.firstFinding { output.note(ExplanationHint.line(finding.name)) }
    }
    return .ok
  }
}

extension Invocation {
  fileprivate var historyOutput: Output {
    Output(environment, isQuiet: false, redactor: Redactor(key: environment.sdkKey))
  }

  /// The entry whose number is given, or the last.
  fileprivate func entry(of text: HistoryText, in state: String) throws(CommandError) -> HistoryEntry {
    guard let last = text.entries.last else { throw .unusable("\(state.oneLine) keeps no step yet") }
    guard let given = positional.first else { return last }
    guard let number = Int(given), (1...last.number).contains(number) else {
      let range = last.number == 1 ? "1: one step is kept" : "from 1 to \(last.number), the steps that are kept"
      throw usage("STEP must be \(range); it is \(JSONWriter.quoted(given))")
    }
    return text.entries[number - 1]
  }
}
