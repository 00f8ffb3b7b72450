import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan aak development-postback`: Apple's screen Settings > Developer > Development Postbacks.
enum AAKDevelopmentPostbackCommand {
  private static let interaction = Option<AttributionWindows.Interaction>(
    "interaction", "KIND", .choice, default: "click", "the interaction: click (default) or view")
  private static let conversion = Option<AdAttribution.ConversionType>(
    "conversion", "TYPE", .choice, default: "download",
    "the conversion type: download (default), redownload or re-engagement")
  private static let tiers = Option<[Int64]>(
    "tier", "T|T,T,T", .developmentTiers, default: "3,3,3",
    "the postback data tier of the only postback, or of each of three (default: 3,3,3)")
  private static let country = Option<String?>(
    "country", "CC", .country, "the country, two capital letters (default: that of the install)")

  struct Options: CommandOptions {
    let chosen: DevelopmentConversion
    let country: String?
    let tag: String?
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      var chosen = DevelopmentConversion()
      chosen.interaction = try reader[AAKDevelopmentPostbackCommand.interaction]
      chosen.conversion = try reader[AAKDevelopmentPostbackCommand.conversion]
      chosen.tiers = try reader[AAKDevelopmentPostbackCommand.tiers]
      self.chosen = chosen
      country = try reader[AAKDevelopmentPostbackCommand.country]
      tag = try reader[.conversionTag]
      step = try StepOptions(reader, hasFindings: false)
    }
  }

  static let spec = CommandSpec(
    "aak development-postback", "Make a conversion on Apple's screen for development postbacks, without an ad",
    examples: [
      "skan aak development-postback --tier 3,1,0", "skan aak development-postback --conversion re-engagement --tag t1",
      "skan postbacks --at +36d --sign key.pem --kid apple-development-identifier/1 --send http://localhost:8080/",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let operation = Step.Operation.development(options.chosen, tag: options.tag, country: options.country)
    return try StepCommand(options.step, invocation).run([Step(operation, time: options.step.time)])
  }
}

extension ValueParser<[Int64]> {
  fileprivate static var developmentTiers: Self {
    Self(.text) { (given) throws(CommandError) in
      let parts = given.text.split(separator: ",", omittingEmptySubsequences: false)
      let tiers = parts.compactMap { Int64($0) }
      guard tiers.count == parts.count, DevelopmentConversion.areTiers(tiers) else {
        throw given.mustBe(DevelopmentConversion.tiersForm)
      }
      return tiers
    }
  }
}

extension ValueParser<String> {
  fileprivate static var country: Self {
    Self(.text) { (given) throws(CommandError) in
      guard given.text.utf8.count == 2, given.text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
        throw given.mustBe("two capital letters such as US")
      }
      return given.text
    }
  }
}
