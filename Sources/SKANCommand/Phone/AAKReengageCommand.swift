import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan aak reengage URL`: a click on an ad opens an app that calls AdAttributionKit itself.
enum AAKReengageCommand {
  private static let impression = Option<AdAttribution?>(
    "impression", "JSON|@FILE",
    .json(
      "an impression", of: "--impression",
      advice: { _ in "; as in {\"network\":\"example.adattributionkit\",\"tier\":2}" }
    ) {
      (bytes) throws(SourceProblems) in try AdAttribution(reEngagement: bytes)
    },
    "the ad: network, source_identifier, app_id, publisher_id, marketplace, tier, country")
  private static let isIneligible = Option<Bool>(
    flag: "not-eligible", "the impression is not eligible for re-engagement")

  struct Options: CommandOptions {
    let impression: AdAttribution?
    let isIneligible: Bool
    let tag: String?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      impression = try reader[AAKReengageCommand.impression]
      isIneligible = try reader[AAKReengageCommand.isIneligible]
      tag = try reader[.conversionTag]
      step = try reader[StepOptions.self]
    }
  }

  static let spec = CommandSpec(
    "aak reengage", "Open the app by a click on an ad, which begins a re-engagement", arguments: ["URL"],
    examples: [
      "skan aak reengage https://example.com/sale",
      "skan aak reengage https://example.com/sale --tag t1 --impression '{\"tier\":2}'",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let given = invocation.argument(0, named: "URL")
    guard OpenedAd.isLink(given.text) else { throw given.mustBe(OpenedAd.urlForm) }
    var opened = OpenedAd(options.impression, url: given.text)
    opened.isEligible = !options.isIneligible
    opened.tag = options.tag
    return try StepCommand(options.step, invocation).run([Step(.reEngagement(opened), time: options.step.time)])
  }
}
