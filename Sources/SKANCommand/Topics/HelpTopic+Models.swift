import SKANDevice
import SKANModel

extension HelpTopic {
  static var aboutModels: [HelpSection] {
    [
      HelpSection(
        "Form",
        "The JSON of Google Ads API's SkAdNetworkConversionValueSchema, camelCase or snake_case, also in the envelopes in which "
          + "Google hands it out. 'skan schema model' has it as JSON Schema; 'skan model check FILE' reports what is wrong or odd, "
          + "'skan model explain FILE' prints it as tables.",
        rows: ModelObject.all.map { ($0.name, $0.keys.enumerated) }),
      HelpSection(
        "Names with a meaning of their own",
        rows: [
          (Device.sessionEventName, "sessions"), (MappedEvent.allRevenue, "revenue of all kinds, without an event"),
          (MappedEvent.iapRevenue, "in-app purchases"), (MappedEvent.adRevenue, "revenue from ads"),
        ]),
      HelpSection(
        "Evaluation",
        "A mapping holds when all its entries hold and its hours do (min <= h < max). An entry holds when its event came as often "
          + "as asked in this window, and the window's revenue is in its range (min <= x < max). The answer in the first "
          + "window is the highest fine value whose mapping holds, never below the current one; the coarse value is the "
          + "highest whose mapping holds. The window is locked when its trigger is reached."),
      HelpSection(
        "Who uses them",
        "--model FILE, or --model BUNDLE_ID=FILE for several apps, of session, event, replay, serve, backtest, verify and receive; "
          + "--rates FILE has units of each currency per US dollar. serve reads them again on SIGHUP."),
    ]
  }
}
