import SKANCommandLine

/// `skan event NAME`.
enum EventCommand {
  static let spec = CommandSpec(
    "event", "Report an event and apply the answer", arguments: ["NAME"],
    examples: ["skan event level_up", "skan event purchase --revenue 9.99 --currency USD --idempotency-key order-17"]
  ) { (options: UpdateStepOptions, invocation) throws(CommandError) in
    try options.run(.event(name: invocation.positional[0], options.update), invocation)
  }
}
