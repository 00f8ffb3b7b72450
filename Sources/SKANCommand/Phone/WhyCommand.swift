import SKANCommandLine

/// `skan why`.
enum WhyCommand {
  static let spec = CommandSpec(
    "why", "Explain what happened in the last step, or in another one",
    arguments: ["STEP"], isLastOptional: true, examples: ["skan why", "skan why 3", "skan why 3 --json"]
  ) { (options: HistoryCommand.Options, invocation) throws(CommandError) in
    try HistoryCommand.run(options, invocation, isList: false)
  }
}
