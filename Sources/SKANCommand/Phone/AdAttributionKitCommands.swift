import SKANBase
import SKANDevice
import SKANRun

/// `skan aak update FINE` and `skan aak reengage URL`: apps that call AdAttributionKit themselves.
enum AdAttributionKitCommands {
  private static let coarse = Option<CoarseValue?>("coarse", "VALUE", .coarse, "the coarse value: low, medium or high")
  private static let lock = Option<Bool>(flag: "lock", "lock the postback")
  private static let types = Option<[DirectUpdate.ConversionKind]>(
    "type", "TYPE", each: .choice, "update conversions of this type only: install or reengagement (repeatable)")
  private static let tag = Option<String?>("tag", "TAG", .conversionTag, "the conversion tag")
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

  struct UpdateOptions: CommandOptions {
    let coarse: CoarseValue?
    let lock: Bool
    let types: [DirectUpdate.ConversionKind]
    let tag: String?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      coarse = try reader[AdAttributionKitCommands.coarse]
      lock = try reader[AdAttributionKitCommands.lock]
      types = try reader[AdAttributionKitCommands.types]
      tag = try reader[AdAttributionKitCommands.tag]
      step = try StepOptions(reader, hasFindings: false)
    }
  }

  struct ReengageOptions: CommandOptions {
    let impression: AdAttribution?
    let isIneligible: Bool
    let tag: String?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      impression = try reader[AdAttributionKitCommands.impression]
      isIneligible = try reader[AdAttributionKitCommands.isIneligible]
      tag = try reader[AdAttributionKitCommands.tag]
      step = try reader[StepOptions.self]
    }
  }

  static let update = CommandSpec(
    .aakUpdate, "Call AdAttributionKit directly, as an app that uses both frameworks does", arguments: ["FINE"],
    examples: ["skan aak update 5 --coarse medium", "skan aak update 5 --type reengagement --lock"]
  ) { (options: UpdateOptions, invocation) throws(CommandError) in
    var update = DirectUpdate(
      fine: try ValueParser<Int64>.integer.parse(invocation.argument(0, named: "FINE")), coarse: options.coarse,
      lock: options.lock)
    update.types = options.types.isEmpty ? nil : options.types
    update.tag = options.tag
    return try StepCommand(options.step, invocation).run([Step(.adAttributionKit(update), time: options.step.time)])
  }

  static let reengage = CommandSpec(
    .aakReengage, "Open the app by a click on an ad, which begins a re-engagement", arguments: ["URL"],
    examples: [
      "skan aak reengage https://example.com/sale",
      "skan aak reengage https://example.com/sale --tag t1 --impression '{\"tier\":2}'",
    ]
  ) { (options: ReengageOptions, invocation) throws(CommandError) in
    let given = invocation.argument(0, named: "URL")
    guard OpenedAd.isLink(given.text) else { throw given.mustBe(OpenedAd.urlForm) }
    var opened = OpenedAd(options.impression, url: given.text)
    opened.isEligible = !options.isIneligible
    opened.tag = options.tag
    return try StepCommand(options.step, invocation).run([Step(.reEngagement(opened), time: options.step.time)])
  }
}

extension ValueParser<String> {
  fileprivate static var conversionTag: Self {
    Self(.text) { (given) throws(CommandError) in
      guard OpenedAd.isTag(given.text) else { throw given.mustBe(OpenedAd.tagForm) }
      return given.text
    }
  }
}
