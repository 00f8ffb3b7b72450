import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// `skan impression click` and `skan impression view`. They create a missing device file.
enum ImpressionCommand {
  private static let framework = Option<AdAttribution.Framework>(
    "framework", "NAME", .choice, default: "skadnetwork", "skadnetwork (default) or adattributionkit")
  private static let network = Option<String?>("network", "ID", .text, "the ad network")
  private static let seconds = Option<Double?>("seconds", "NUMBER", .viewSeconds, "how long the view lasted")
  private static let isDevelopment = Option<Bool>(
    flag: "development", "an impression for testing: of an app with the identifier 0")
  private static let impression = Option<AdAttribution?>(
    "impression", "JSON|@FILE",
    .json(
      "an impression", of: "--impression", advice: { _ in "; as in {\"network\":\"a.skadnetwork\",\"tier\":2}" }
    ) { (bytes) throws(SourceProblems) in try AdAttribution(impression: bytes) },
    "the ad, with the keys of \"ad\" in a list: {\"source_identifier\":\"1234\",\"tier\":2}")

  struct Options: CommandOptions {
    let ad: AdAttribution
    let seconds: Double?
    let profile: ProfileOptions
    let step: StepOptions

    init(_ reader: OptionReader) throws(CommandError) {
      let given = try reader[ImpressionCommand.impression]
      let framework = try reader[
        ImpressionCommand.framework,
        OptionReader.Condition(given == nil, "goes without --impression, whose JSON has \"framework\"")]
      var ad =
        given
        ?? (framework == .skadnetwork ? AdAttribution() : AdAttribution(ofReEngagementUnder: .production))
      if let network = try reader[ImpressionCommand.network] {
        if network.isEmpty { throw reader.refused(ImpressionCommand.network, "must not be empty") }
        ad.network = network
      }
      seconds = try reader[ImpressionCommand.seconds]
      if try reader[ImpressionCommand.isDevelopment] { ad.source = .app(0) }
      self.ad = ad
      profile = try reader[ProfileOptions.self]
      step = try reader[StepOptions.self]
    }
  }

  static let spec = CommandSpec(
    "impression", "Record a view of an ad for the app, or a click on it; create a missing phone",
    arguments: ["INTERACTION"],
    examples: [
      "skan impression click --network a.skadnetwork",
      "skan impression view --framework adattributionkit --network b.adattributionkit --seconds 3",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    var ad = options.ad
    let interaction = try ValueParser<AttributionWindows.Interaction>.choice.parse(
      invocation.argument(0, named: "INTERACTION"))
    ad.fidelity = interaction == .click ? 1 : 0
    if interaction == .click, options.seconds != nil {
      throw invocation.usage("--seconds goes with 'skan impression view'")
    }
    let profile = options.profile.profile
    let command = try StepCommand(options.step, invocation)
    let results = try command.store.changing { (existing) throws(CommandError) in
      if let existing {
        try options.profile.check(
          against: existing.phone.device.profile, invocation, command.output, isAdOfImpressions: true)
      } else {
        try invocation.requireIOS(of: profile)
      }
      var file = existing ?? DeviceFile(device: Device(profile))
      let step = Step(.impression(ad, seconds: options.seconds), time: options.step.time)
      let results = try command.run([step], on: &file)
      return (file, results)
    }
    return try command.show(results)
  }
}

extension ValueParser<Double> {
  fileprivate static var viewSeconds: Self {
    Self(.number) { (given) throws(CommandError) in
      let seconds = try ValueParser<Double>.amount.parse(given)
      guard seconds >= 0, seconds < 86_400 else { throw given.mustBe("a number of seconds from 0 to 86400") }
      return seconds
    }
  }
}
