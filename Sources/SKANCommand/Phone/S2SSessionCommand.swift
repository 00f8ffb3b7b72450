import SKANCommandLine

/// `skan s2s session`.
enum S2SSessionCommand {
  static let spec = CommandSpec(
    "s2s session", "Report a session as the app's server does, to launch",
    examples: [
      "skan s2s session", "skan s2s session --endpoint http://localhost:8080 --parameter ip=203.0.113.7",
      "skan s2s session --stale --dry-run",
    ]
  ) { (options: ForwardedStepOptions, invocation) throws(CommandError) in
    try options.run(.forward(.session, options.settings.report(answer: options.answer)), invocation)
  }
}
