extension SchemaName {
  /// What commands print with `--json`, and then what they are asked to write as JSON.
  private static let outputs: [String: [SchemaName]] = [
    "replay": [.result, .delivery, .summary, .replayReport, .step], "model explain": [.modelExplain],
    "model decode": [.modelDecode], "model diff": [.modelDiff], "model fit": [.modelFit], "backtest": [.backtest],
    "serve": [.journal, .received], "check": [.check, .step], "verify": [.verify], "receive": [.receive, .received],
    "report": [.report], "receiver-test": [.receiverTest, .report], "history": [.history], "why": [.history],
    "import": [.import, .step], "config": [.config], "doctor": [.doctor], "explain": [.explain], "help": [.help],
    "init": [.project, .step, .model], "model convert": [.model],
  ]

  /// The schemas of what a command prints with `--json`, and of the files of JSON that it is asked to write;
  /// those of `--json` come first.
  static func names(of command: CommandSpec) -> [SchemaName] {
    if let names = outputs[command.name] { return names }
    if !command.declares(.expect) { return [] }
    return command.declares(.dryRun) ? [.result, .request] : [.result]
  }
}
