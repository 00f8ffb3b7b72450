import SKANCommandLine
import SKANRun

/// `skan s2s event NAME`.
enum S2SEventCommand {
  struct Options: CommandOptions {
    private static let revenue = OptionRow.revenue.described("the revenue of the event, sent as amt and cur")

    let revenue: Step.Revenue?
    let session: ForwardedStepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      revenue = try reader.under(RevenueOptions.title) { () throws(CommandError) in
        try RevenueOptions(reader, revenue: Self.revenue).revenue
      }
      session = try ForwardedStepOptions(reader, isEvent: true)
    }
  }

  static let spec = CommandSpec(
    "s2s event", "Report an event as the app's server does, to evt", arguments: ["NAME"],
    examples: ["skan s2s event level_up", "skan s2s event purchase --revenue 9.99 --currency USD --api v2"]
  ) { (options: Options, invocation) throws(CommandError) in
    let report = options.session.settings.report(of: options.revenue, answer: options.session.answer)
    return try options.session.run(
      .forward(.event(name: invocation.positional[0], report.revenue), report), invocation)
  }
}
