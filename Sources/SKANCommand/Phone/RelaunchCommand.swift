import SKANCommandLine
import SKANRun

/// `skan relaunch`.
enum RelaunchCommand {
  struct Options: CommandOptions {
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) { step = try StepOptions(reader, hasFindings: false) }
  }

  static let spec = CommandSpec(
    "relaunch", "Start the app again; a leaked lock is free", examples: ["skan relaunch"]
  ) { (options: Options, invocation) throws(CommandError) in
    try StepCommand(options.step, invocation).run([Step(.relaunch, time: options.step.time)])
  }
}
