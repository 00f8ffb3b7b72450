import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANRun

/// Options of every command that runs a step, and help and version.
extension OptionRow {
  static let state = Option<String>(
    "state", "FILE", .namedFile, default: "skan-state.json", "the device file", hasVariable: true)
  static let at = Option<TimeSpec?>(
    "at", "TIME", .time, "when: ISO 8601, Unix seconds, +2d3h after the first timed step, or now")
  static let after = Option<TimeSpan?>(
    "after", "DURATION", .durationOrSeconds, "when: so long after the end of the previous step (2d3h, 500ms)")
  static let json = Option<Bool>(flag: "json", "print the result as one JSON object a line", hasVariable: true)
  static let expect = Option<[Expectation]>(
    "expect", "PATH=VALUE", each: .expectation, "exit 1 unless the result has this value there (repeatable)")
  static let verbose = Option<Bool>(
    flag: "verbose", short: "v", "show the request and the answer as they went over the wire")
  static let quiet = Option<Bool>(
    flag: "quiet", short: "q", "print no result and no notes; errors stay")
  static let strict = Option<Bool>(
    flag: "strict", "exit 1 when a step has a warning of level finding", hasVariable: true)
  /// In seconds.
  static let lockTimeout = Option<Double>(
    "lock-timeout", "DURATION", .seconds, default: "30s",
    "how long to wait for another run on the same device file", hasVariable: true)
  static let help = Option<Bool>(flag: "help", short: "h", "print this help")
  static let version = Option<Bool>(flag: "version", "print the version")
}

/// The options of every command that runs a step. One that makes no exchange has nothing to trace, and one that only
/// reads the device file takes no lock.
struct StepOptions: CommandOptions {
  /// The device file.
  let state: String
  /// The time from `--at` or `--after`; nil if neither is given.
  let time: TimeSpec?
  let isJSON: Bool
  let expectations: [Expectation]
  let isVerbose: Bool
  let isQuiet: Bool
  let isStrict: Bool
  let lockSeconds: Double

  /// `--quiet` of a command whose only purpose is its result.
  private static let quietOfReader = OptionRow.quiet.described("print no notes; the result and errors stay")

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, state: .state) }

  /// - Parameters:
  ///   - makesExchange: whether the command may send a request, which `--verbose` shows.
  ///   - isReader: whether the command reads the device file without its lock, and prints its result always.
  init(
    _ reader: OptionReader, state: Option<String> = .state, makesExchange: Bool = false, isReader: Bool = false
  ) throws(CommandError) {
    self.state = try reader[state]
    let form = try reader.oneOf([.at, .after]) { "two times are given: \($0) and \($1)" }
    let at = try reader.value(of: .at, if: form == OptionRow.at)
    time = try reader.value(of: .after, if: form == OptionRow.after).map(TimeSpec.after) ?? at
    isJSON = try reader[.json]
    expectations = try reader[.expect]
    isVerbose = makesExchange ? try reader[.verbose] : false
    isQuiet = try reader[isReader ? Self.quietOfReader : .quiet]
    isStrict = try reader[.strict]
    lockSeconds = isReader ? 0 : try reader[.lockTimeout]
  }
}

/// Options for the output file and for color.
extension OptionRow {
  static let output = Option<OutputFile?>(
    "output", short: "o", "FILE", .outputFile, absent: "-", "write it to this file (default: standard output)")
  static let color = Option<ColorChoice>(
    "color", "WHEN", .choice, default: "auto", "color what people read: auto (default: on a terminal), always, never",
    hasVariable: true)
}

/// Options of sessions, events and revenue.
extension OptionRow {
  static let answer = Option<EndpointAnswer?>(
    "answer", "JSON|@FILE",
    .json(
      "the answer", as: [.answers], of: "--answer",
      advice: { _ in "; a body goes inside, as in {\"json\":{\"conversion_value\":5}}" }
    ) {
      (bytes) throws(SourceProblems) in try AnswerForm.read(bytes)
    }, "the endpoint's answer, as in lists: {\"json\":{…}}, {\"text\":…}, {\"error\":…}")
  static let took = Option<TimeSpan?>(
    "took", "DURATION", .durationOrSeconds, "how long the answer takes: 2.5 (seconds), 500ms, 1m")
  static let frameworkError = Option<Int64?>(
    "framework-error", "CODE", .integer, "Apple's call fails with this SKANErrorDomain code")
  static let noHandler = Option<Bool>(flag: "no-handler", "the app passes no completion handler")
  static let revenue = Option<Double?>("revenue", "AMOUNT", .amount, "add this revenue first, as the guide asks")
  static let currency = Option<String?>("currency", "CODE", .text, "the currency of --revenue")
  static let adMonetization = Option<Bool>(flag: "ad-monetization", "the revenue is from ads, not from purchases")
  static let idempotencyKey = Option<String?>(
    "idempotency-key", "KEY", .idempotencyKey,
    "a key seen before adds no revenue: a retried step does not count money twice")
  static let dryRun = Option<Bool>(flag: "dry-run", "print the request and send nothing; no file is written")
  static let curl = Option<Bool>(
    flag: "curl", "print the request as a curl command line and send nothing; no file is written")
}

/// The revenue that goes with an event.
struct RevenueOptions: CommandOptions {
  /// Nil if `--revenue` is not given.
  let revenue: Step.Revenue?
  /// The condition on which the other options of revenue depend.
  let isGiven: OptionReader.Condition

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, revenue: .revenue) }

  init(_ reader: OptionReader, revenue option: Option<Double?>) throws(CommandError) {
    let amount = try reader[option]
    isGiven = OptionReader.Condition(amount != nil, "belongs to --revenue AMOUNT")
    let currency = try reader[.currency, isGiven]
    let isAdMonetization = try reader[.adMonetization, isGiven]
    if amount != nil, currency == nil { throw reader.invocation.usage("--revenue needs --currency CODE") }
    revenue = amount.map { Step.Revenue(amount: $0, currency: currency, isAdMonetization: isAdMonetization) }
  }
}

extension ValueParser<String> {
  fileprivate static var idempotencyKey: Self {
    Self(.text) { (given) throws(CommandError) in
      if given.text.isEmpty { throw given.refused("must not be empty") }
      return given.text
    }
  }
}

/// Options that select who answers an update.
extension OptionRow {
  static let endpoint = Option<Endpoint>(
    "endpoint", "WHERE", .endpoint, default: "embedded",
    "embedded (default: no network), testing, production, or an http(s) URL", hasVariable: true)
  static let model = Option<[ModelArgument]>(
    "model", "[BUNDLE_ID=]FILE", each: .model,
    "let this conversion model answer instead of the embedded test endpoint", hasVariable: true)
  static let rates = Option<String?>(
    "rates", "FILE", .file,
    "exchange rates per US dollar: {\"EUR\":0.92}, or a CSV table date,currency,rate by day",
    hasVariable: true)
  /// Pairs of a model's event and the app's. Each of the model's events may be given once.
  static let eventAlias = Option<[EventAliases.Pair]>(
    "event-alias", "FROM=TO", .pair, folding: [],
    "the model's event FROM is our event TO, as in session_start=__SESSION__ (repeatable)",
    isOncePerName: true
  ) { (pairs, given) throws(CommandError) in
    guard let (from, to) = EventAliases.file.pair(given.text), !to.isEmpty else {
      throw given.mustBe(EventAliases.file.form)
    }
    pairs.append(EventAliases.Pair(from: from, to: to))
  }
  static let eventAliasesFile = Option<String?>(
    "event-aliases-file", "FILE", .file, "event aliases from a file, one FROM=TO a line", hasVariable: true)
  /// In seconds.
  static let maxTime = Option<Double>(
    "max-time", "DURATION", .positiveSeconds, default: "10s", "the longest that an exchange may take",
    hasVariable: true)
  /// In bytes.
  static let maxAnswer = Option<Int>(
    "max-answer", "SIZE", .size, default: "1MiB",
    "the most that an answer may hold, unpacked, such as 64KiB", hasVariable: true)
  static let sdkKeyFile = Option<String?>(
    "sdk-key-file", "FILE", .file, "read the SDK key from a file (- for stdin)", hasVariable: true)
}

/// The aliases that map the events of a model to the app's.
struct AliasOptions: CommandOptions {
  let pairs: [EventAliases.Pair]
  let file: String?

  init(_ reader: OptionReader) throws(CommandError) {
    pairs = try reader[.eventAlias]
    file = try reader[.eventAliasesFile]
  }

  /// No aliases.
  init() { (pairs, file) = ([], nil) }

  /// The options that are given, for a message.
  var given: [OptionRow] { (pairs.isEmpty ? [] : [OptionRow.eventAlias]) + (file == nil ? [] : [.eventAliasesFile]) }
}

/// The models that answer, with their aliases and rates.
struct ModelOptions: CommandOptions {
  let models: [ModelArgument]
  let aliases: AliasOptions
  /// The file of exchange rates.
  let rates: String?

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, model: .model) }

  init(_ reader: OptionReader, model: Option<[ModelArgument]>) throws(CommandError) {
    models = try reader[model]
    aliases = try AliasOptions(reader)
    rates = try reader[.rates]
  }

  /// Models whose conditions are read, and which answer nothing.
  init(only models: [ModelArgument]) { (self.models, aliases, rates) = (models, AliasOptions(), nil) }
}

/// The endpoint or models that answer an update, and the limits of a request.
struct AnswerOptions: CommandOptions {
  let endpoint: Endpoint
  let model: ModelOptions
  let limits: HTTPAnswerLimits
  let sdkKeyFile: String?

  init(_ reader: OptionReader) throws(CommandError) {
    endpoint = try reader[.endpoint]
    model = try ModelOptions(reader)
    limits = HTTPAnswerLimits(seconds: try reader[.maxTime], bytes: try reader[.maxAnswer])
    sdkKeyFile = try reader[.sdkKeyFile]
    if model.models.isEmpty {
      if let option = ((model.rates == nil ? [] : [OptionRow.rates]) + model.aliases.given).first {
        throw reader.refused(option, "belongs to \(OptionRow.model.flag)")
      }
    } else if endpoint.isRemote {
      throw reader.refused(.model, "answers in process: leave out \(reader.name(of: .endpoint))")
    }
  }
}

extension Invocation {
  /// Throws if standard input is given both as an argument and as the SDK key.
  ///
  /// - Parameter noun: the noun for the argument.
  func requireOneInput(_ answering: AnswerOptions, called noun: String) throws(CommandError) {
    if positional.contains("-"), answering.sdkKeyFile == "-" {
      throw usage("standard input cannot be both the \(noun) and the SDK key")
    }
  }
}

/// Options of the app's server, which reports to the endpoint.
extension OptionRow {
  static let forward = Option<Bool>(
    flag: "forward", "the app's server reports the step too, to launch or evt, with the metadata of the phone")
  static let stale = Option<Bool>(
    flag: "stale", "the server gets what the guides' sample reads: the metadata before the answer")
  static let api = Option<EndpointAPI>("api", "VERSION", .choice, default: "v1", "of evt: v1 (default) or v2")
  static let post = Option<Bool>(flag: "post", "the server sends its parameters in the body of a POST")
  static let parameter = Option<[QueryItem]>(
    "parameter", "NAME[=VALUE]", .pair, folding: [],
    "the server sends this value of a parameter; a name alone leaves it out (repeatable)", isOncePerName: true
  ) { (items, given) throws(CommandError) in
    let name = given.nameOfPair
    if name.isEmpty { throw given.mustBe("NAME=VALUE, or NAME alone") }
    if name == "a" { throw given.problem("the key is not a parameter: it comes from SKAN_SDK_KEY or --sdk-key-file") }
    items.append(QueryItem(name, given.pair?.value))
  }
}

/// The settings of a report by the app's server.
struct ReportSettings: CommandOptions {
  private let isStale: Bool
  private let api: EndpointAPI
  private let isPost: Bool
  private let parameters: [QueryItem]

  init(_ reader: OptionReader) throws(CommandError) {
    isStale = try reader[.stale]
    api = try reader[.api]
    isPost = try reader[.post]
    parameters = try reader[.parameter]
  }

  /// The options of a report.
  ///
  /// - Parameters:
  ///   - revenue: the revenue of the reported event.
  ///   - answer: the answer to use instead of the endpoint's.
  func report(of revenue: Step.Revenue? = nil, answer: EndpointAnswer? = nil) -> ForwardOptions {
    ForwardOptions(
      api: api, isPost: isPost, isStale: isStale,
      revenue: revenue.flatMap { revenue in
        revenue.currency.map {
          ForwardedRevenue(amount: revenue.amount, currency: $0, isAdMonetization: revenue.isAdMonetization)
        }
      }, parameters: parameters, answer: answer)
  }
}

extension OptionReader {
  /// Throws for an endpoint that takes no reports.
  func requireReports(to endpoint: Endpoint) throws(CommandError) {
    if endpoint.forwardAddress(of: .launch) == nil {
      throw invocation.usage(
        "\(name(of: .endpoint)): launch and evt are at production, or at a URL without a path of its own")
    }
  }
}

/// Options for the profile of a new phone. The defaults are those of ``DeviceProfile``.
extension OptionRow {
  static let snippet = Option<SnippetVersion>(
    "snippet", "NAME", .choice, default: "skan4", "skan4 (default), skan4-beta or skan3", hasVariable: true)
  static let ios = Option<IOSVersion>(
    "ios", "VERSION", .iosVersion, default: "17.4", "version of iOS", hasVariable: true)
  static let bundleID = Option<String>(
    "bundle-id", "ID", .text, default: "com.example.app", "the app's bundle identifier", hasVariable: true)
  static let appVersion = Option<String>(
    "app-version", "VERSION", .text, default: "1.0", "the app's version", hasVariable: true)
  static let idfv = Option<String?>(
    "idfv", "ID", .text(or: "none", DeviceProfile.randomIDFVName),
    "identifier for vendors (default derived; none for none; random for a new UUID each time)", hasVariable: true)
  static let idfa = Option<String?>(
    "idfa", "ID", .text(or: "none"), absent: "none", "identifier for advertisers (default none: no consent)",
    hasVariable: true)
  static let organic = Option<Bool>(
    flag: "organic", "no ad brought the install: Apple takes every call and sends nothing", hasVariable: true)
  /// An example of the framework that the text names.
  @Sendable private static func adAdvice(_ text: String) -> String {
    let example =
      text.contains(AdAttribution.Framework.adattributionkit.rawValue)
      ? #"{"framework":"adattributionkit","tier":1}"# : #"{"version":"3.0","campaign":42}"#
    return "; as in \(example), or --organic for none"
  }

  static let ad = Option<AdAttribution?>(
    "ad", "JSON|@FILE",
    .json("an ad", of: "--ad", advice: adAdvice) { (bytes) throws(SourceProblems) in try AdAttribution(bytes) },
    "the ad that brought the install, as in lists: {\"version\":\"3.0\",\"campaign\":42,\"tier\":1}",
    hasVariable: true)
  static let build = Option<DeviceProfile.Build>(
    "build", "NAME", .choice, default: "appstore", "appstore (default), or development: Apple refuses every call",
    hasVariable: true)
  static let clock = Option<DeviceProfile.ClockPreset>(
    "clock", "NAME", .choice, default: "production",
    "production (default), or developer: Apple's Developer Mode, windows of 3 minutes for development impressions",
    hasVariable: true)
  static let seed = Option<Int64>(
    "seed", "NUMBER", .integer, default: "0", "the seed of the postbacks' random delays", hasVariable: true)
  static let setting = Option<FrameworkSettings>(
    "setting", "NAME=VALUE", .pair,
    values: FrameworkSetting.allCases.flatMap { setting in setting.values.map { "\(setting.name)=\($0)" } },
    folding: FrameworkSettings(), "settle what Apple leaves open; 'skan help postbacks' lists them (repeatable)",
    hasVariable: true, isOncePerName: true
  ) { (settings, given) throws(CommandError) in
    guard let (name, value) = given.pair else { throw given.mustBe("NAME=VALUE") }
    do throws(FrameworkSettingProblem) { try settings.set(name, to: value) } catch {
      throw given.problem(error.message)
    }
  }
}

/// The phone and the app that options describe.
struct ProfileOptions: CommandOptions {
  let profile: DeviceProfile
  /// Whether the identifier for vendors is to be generated anew each time.
  let hasRandomIDFV: Bool

  init(_ reader: OptionReader) throws(CommandError) {
    var profile = DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: ""))
    profile.snippet = try reader[.snippet]
    profile.ios = try reader[.ios]
    profile.bundleID = try reader[.bundleID]
    profile.appVersion = try reader[.appVersion]
    let idfv = try reader[.idfv]
    if let idfv {
      let invocation = reader.invocation
      let isNew = try invocation.isRandom(idfv: idfv, of: reader.name(of: .idfv))
      profile.idfv = isNew ? invocation.environment.randomIDFV() : idfv == "none" ? nil : idfv
    }
    hasRandomIDFV = idfv == DeviceProfile.randomIDFVName
    profile.idfa = try reader[.idfa].flatMap { ["", "none"].contains($0) ? nil : $0 }
    let origin = try reader.oneOf([.organic, .ad])
    let ad = try reader.value(of: .ad, if: origin == OptionRow.ad)
    profile.build = try reader[.build]
    profile.clock = try reader[.clock]
    profile.ad = ad ?? AdAttribution(under: profile.clock)
    profile.seed = try reader[.seed]
    profile.settings = try reader[.setting]
    if origin == OptionRow.organic { profile.ad = nil }
    self.profile = profile
  }
}

extension ValueParser<IOSVersion> {
  static var iosVersion: Self {
    Self(.version) { (given) throws(CommandError) in
      guard let version = IOSVersion(given.text) else { throw given.mustBe("a version of iOS such as 17.4") }
      return version
    }
  }
}

extension Invocation {
  /// Whether an identifier for vendors is the keyword for a new random one.
  ///
  /// - Parameter name: the name of the option or variable, for messages.
  /// - Throws: an error for a misspelled keyword, which a server would take for the identifier of one phone.
  func isRandom(idfv: String, of name: String) throws(CommandError) -> Bool {
    let random = DeviceProfile.randomIDFVName
    if idfv == random { return true }
    if nearestName(to: idfv, in: [random], atMost: 1) == nil { return false }
    throw usage("\(name): \(JSONWriter.quoted(idfv)) is no identifier; did you mean \(random)?")
  }

  /// Throws if the profile requires a later iOS.
  func requireIOS(of profile: DeviceProfile) throws(CommandError) {
    guard let (message, key, needed) = profile.iosProblem else { return }
    let option: OptionRow = key == "ad" ? .ad : .clock
    throw usage("\(name(of: option)): \(message); add \(OptionRow.ios.flag) \(needed.text)")
  }
}

extension DeviceProfile {
  /// The ad in the form that its option takes.
  var adText: String { ad.map { JSONWriter.text($0.json) } ?? "none" }

  /// The settings that differ from the defaults.
  var settingsText: String {
    settings == FrameworkSettings() ? "none" : settings.changed.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }
}
