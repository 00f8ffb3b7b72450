import SKANBase
import SKANCommandLine

/// `skan history`: reads the device file without its lock, and writes nothing.
enum HistoryCommand {
  private static let json = OptionRow.json.described("print each step as JSON, one object per line")

  struct Options: CommandOptions {
    let state: String
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      state = try reader[.state]
      isJSON = try reader[json]
    }
  }

  static let spec = CommandSpec(
    "history", "List the steps that the device file keeps, or explain one", arguments: ["STEP"], isLastOptional: true,
    examples: ["skan history", "skan history 3", "skan history --json | jq .outcome"]
  ) { (options: Options, invocation) throws(CommandError) in
    try run(options, invocation, isList: invocation.positional.isEmpty)
  }

  /// Prints all steps, or what is recorded about one, as `skan why` does, too.
  static func run(
    _ options: Options, _ invocation: Invocation, isList: Bool
  ) throws(CommandError) -> ExitCode {
    let text = HistoryText(try DeviceStore(options.state, invocation.environment).read())
    let entry = isList ? nil : try invocation.entry(of: text, in: options.state)
    let output = Output(invocation.environment, isQuiet: false)
    if options.isJSON {
      for entry in entry.map({ [$0] }) ?? text.entries { try output.result(JSONWriter.text(entry)) }
      return .ok
    }
    for line in entry.map(text.lines(of:)) ?? text.lines { try output.line(line) }
    if let finding = entry?.firstFinding { output.note(ExplanationHint.line(finding.name)) }
    return .ok
  }
}

extension Invocation {
  /// The entry with the given number, or the last one.
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
