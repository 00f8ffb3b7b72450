import SKANCommandLine

/// `skan session`.
enum SessionCommand {
  struct Options: CommandOptions {
    let update: UpdateStepOptions

    init(_ reader: OptionReader) throws(CommandError) { update = try UpdateStepOptions(reader, isEvent: false) }
  }

  static let spec = CommandSpec(
    "session", "Report a session and apply the answer",
    examples: [
      "skan session", "skan session --at +2d3h --endpoint http://localhost:8080 --expect outcome=updated",
      "skan session --answer '{\"json\":{\"conversion_value\":5,\"status\":\"ok\"}}'",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    try options.update.run(.session(options.update.update), invocation)
  }
}
