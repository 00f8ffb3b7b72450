import SKANCommandLine
import SKANRun

/// `skan revenue AMOUNT CURRENCY`.
enum RevenueCommand {
  struct Options: CommandOptions {
    let isAdMonetization: Bool
    let idempotencyKey: String?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      isAdMonetization = try reader[.adMonetization]
      idempotencyKey = try reader[.idempotencyKey]
      step = try reader[StepOptions.self]
    }
  }

  static let spec = CommandSpec(
    "revenue", "Add to the revenue of a currency", arguments: ["AMOUNT", "CURRENCY"],
    examples: ["skan revenue 9.99 USD", "skan revenue -4.99 USD", "skan revenue 0.02 USD --ad-monetization"]
  ) { (options: Options, invocation) throws(CommandError) in
    let revenue = Step.Revenue(
      amount: try ValueParser.amount.parse(invocation.argument(0, named: "AMOUNT")),
      currency: invocation.positional[1], isAdMonetization: options.isAdMonetization)
    let command = try StepCommand(options.step, idempotencyKey: options.idempotencyKey, invocation)
    return try command.run([Step(.revenue(revenue), time: options.step.time)])
  }
}
