import SKANRun

enum RevenueCommand {
  static let spec = CommandSpec(
    "revenue", "add to the revenue of a currency", arguments: ["AMOUNT", "CURRENCY"],
    options: [.adMonetization, .idempotencyKey] + CommandLineTool.stepOptions,
    examples: ["skan revenue 9.99 USD", "skan revenue -4.99 USD", "skan revenue 0.02 USD --ad-monetization"]
  ) { (invocation) throws(CommandError) in
    let amount = GivenText(text: invocation.positional[0], name: "AMOUNT", invocation: invocation)
    let revenue = Step.Revenue(
      amount: try ValueParser.amount.parse(amount), currency: invocation.positional[1],
      isAdMonetization: invocation[.adMonetization])
    return try invocation.run([Step(.revenue(revenue), time: try invocation.time())])
  }
}
