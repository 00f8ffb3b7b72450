import SKANRun

enum RevenueCommand {
  static let spec = CommandSpec(
    "revenue", "add to the revenue of a currency", arguments: ["AMOUNT", "CURRENCY"],
    options: [.adMonetization, .idempotencyKey] + CommandLineTool.stepOptions,
    examples: ["skan revenue 9.99 USD", "skan revenue -4.99 USD", "skan revenue 0.02 USD --ad-monetization"]
  ) { (invocation) throws(CommandError) in
    let arguments = invocation.arguments
    return try invocation.live([
      Step(
        .revenue(
          Step.Revenue(
            amount: try invocation.amount(arguments.positional[0], named: "AMOUNT"), currency: arguments.positional[1],
            isAdMonetization: arguments.has(.adMonetization))), time: try invocation.time())
    ])
  }
}
