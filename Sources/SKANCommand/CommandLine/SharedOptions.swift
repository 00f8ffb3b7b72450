import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANModel
import SKANRun

/// Options of every command that runs a step.
extension OptionRow {
  static let at = Option<TimeSpec?>(
    "at", "TIME", .time, "when: ISO 8601, Unix seconds, +2d3h after the first timed step, or now")
  static let after = Option<TimeSpan?>(
    "after", "DURATION", .durationOrSeconds, "when: this long after the end of the previous step (2d3h, 500ms)")
  static let json = Option<Bool>(flag: "json", "print the result as JSON, one object per line", hasVariable: true)
  static let expect = Option<[Expectation]>(
    "expect", "PATH=VALUE", each: .expectation, "exit 1 unless the result has this value at PATH (repeatable)")
  static let verbose = Option<Bool>(
    flag: "verbose", short: "v", "show the request and the answer as they went over the wire")
  static let quiet = Option<Bool>(
    flag: "quiet", short: "q", "print no result and no notes, only errors")
  static let strict = Option<Bool>(
    flag: "strict", "exit 1 when a step has a warning of level finding", hasVariable: true)
  /// In seconds.
  static let lockTimeout = Option<Double>(
    "lock-timeout", "DURATION", .seconds, default: "30s",
    "how long to wait for another run on the same device file", hasVariable: true)
}

/// The phone of a step, and when the step runs.
struct DeviceOptions: CommandOptions {
  static let title: OptionTitle? = .device

  /// The device file.
  let state: String
  /// The time from `--at` or `--after`; nil if neither is given.
  let time: TimeSpec?
  /// How long to wait for the lock of the device file; 0 if the command takes none.
  let lockSeconds: Double

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, state: .state) }

  /// - Parameter takesLock: whether the command changes the device file.
  init(_ reader: OptionReader, state: Option<String> = .state, takesLock: Bool = true) throws(CommandError) {
    self.state = try reader[state]
    let form = try reader.oneOf([.at, .after]) { "two times are given: \($0) and \($1)" }
    let at = try reader.value(of: .at, if: form == OptionRow.at)
    time = try reader.value(of: .after, if: form == OptionRow.after).map(TimeSpec.after) ?? at
    lockSeconds = takesLock ? try reader[.lockTimeout] : 0
  }
}

/// The expectations of a step's result, and whether findings fail it.
struct ExpectationOptions: CommandOptions {
  static let title: OptionTitle? = .expectations

  let expectations: [Expectation]
  let isStrict: Bool

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, hasFindings: true) }

  /// - Parameter hasFindings: whether the step can have a warning of level finding.
  init(_ reader: OptionReader, hasFindings: Bool) throws(CommandError) {
    expectations = try reader[.expect]
    isStrict = hasFindings ? try reader[.strict] : false
  }
}

/// The form of a step's result.
struct ResultOptions: CommandOptions {
  static let title: OptionTitle? = .output

  let isJSON: Bool
  let isQuiet: Bool

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, quiet: .quiet) }

  init(_ reader: OptionReader, quiet: Option<Bool>) throws(CommandError) {
    isJSON = try reader[.json]
    isQuiet = try reader[quiet]
  }
}

/// The options of every command that runs a step.
struct StepOptions: CommandOptions {
  let device: DeviceOptions
  let checks: ExpectationOptions
  let output: ResultOptions

  var time: TimeSpec? { device.time }

  /// `--quiet` of a command whose only purpose is its result.
  private static let quietOfReader = OptionRow.quiet.described("print no notes, only the result and errors")

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, state: .state) }

  /// - Parameters:
  ///   - isReader: whether the command reads the device file without its lock, and prints its result always.
  ///   - hasFindings: whether the step can have a warning of level finding.
  init(
    _ reader: OptionReader, state: Option<String> = .state, isReader: Bool = false, hasFindings: Bool = true
  ) throws(CommandError) {
    device = try reader.under(DeviceOptions.title) { () throws(CommandError) in
      try DeviceOptions(reader, state: state, takesLock: !isReader)
    }
    checks = try reader.under(ExpectationOptions.title) { () throws(CommandError) in
      try ExpectationOptions(reader, hasFindings: hasFindings)
    }
    output = try reader.under(ResultOptions.title) { () throws(CommandError) in
      try ResultOptions(reader, quiet: isReader ? Self.quietOfReader : .quiet)
    }
  }
}

/// The option for the output file.
extension OptionRow {
  static let output = Option<OutputFile?>(
    "output", short: "o", "FILE", .outputFile, absent: "-", "write it to this file (default: standard output)")
}

/// The forms of a report.
extension OptionRow {
  static let csv = Option<Bool>(flag: "csv", "print it as CSV")
  static let html = Option<OutputFile?>(
    "html", "OUT", .outputFile, "write a page for browsers to this file (- for stdout)")
}

/// The form in which a command prints its report, and the file of its page.
struct FormOptions: CommandOptions {
  static let title: OptionTitle? = .output

  enum Form: Sendable {
    case text, json, csv
    /// A form that only this command has.
    case other
  }

  let form: Form
  /// Nil if no page is asked for.
  let page: OutputFile?
  /// Whether the report is only printed on its page.
  var isPageAlone: Bool { form == .text && page != nil }

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, csv: .csv) }

  /// - Parameters:
  ///   - csv: `--csv` with what it prints.
  ///   - other: the flag of ``Form/other``.
  ///   - hasPage: whether the report can be a page for browsers.
  init(
    _ reader: OptionReader, csv: Option<Bool>, or other: Option<Bool>? = nil, hasPage: Bool = true
  ) throws(CommandError) {
    let chosen = try reader.oneOf(other.map { [.json, csv, $0] } ?? [.json, csv])
    form = chosen == nil ? .text : chosen == OptionRow.json ? .json : chosen == csv ? .csv : .other
    page =
      hasPage
      ? try reader.output(
        .html, replacing: [],
        standardOutputIsTaken: chosen.map { "- and \(reader.name(of: $0)) both go to standard output" }) : nil
  }
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
    "add no revenue if this key was used before, so that a retried step does not count money twice")
  static let dryRun = Option<Bool>(flag: "dry-run", "print the request and send nothing; no file is written")
  static let curl = Option<Bool>(
    flag: "curl", "print the request as a curl command line and send nothing; no file is written")
}

/// The revenue that goes with an event.
struct RevenueOptions: CommandOptions {
  static let title: OptionTitle? = .revenue

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

/// The limits of an exchange.
extension OptionRow {
  /// In seconds.
  static let maxTime = Option<Double>(
    "max-time", "DURATION", .positiveSeconds, default: "10s", "the longest time that an exchange may take",
    hasVariable: true)
  /// In bytes.
  static let maxAnswer = Option<Int>(
    "max-answer", "SIZE", .size, default: "1MiB",
    "the largest size of an unpacked answer, such as 64KiB", hasVariable: true)
}

/// The models that answer, with their aliases and rates.
struct ModelOptions: CommandOptions {
  static let title: OptionTitle? = .answer

  let models: [ModelArgument]
  /// The aliases that map the events of a model to the app's.
  let aliases: GivenPairs
  /// The file of exchange rates.
  let rates: String?

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, model: .model) }

  init(_ reader: OptionReader, model: Option<[ModelArgument]>) throws(CommandError) {
    models = try reader[model]
    aliases = try reader[.eventAlias]
    rates = try reader[.rates]
  }

  /// Models whose conditions are read, and which answer nothing.
  init(only models: [ModelArgument]) { (self.models, aliases, rates) = (models, GivenPairs(), nil) }
}

/// The limits of requests, and what is shown of them.
struct WireOptions: CommandOptions {
  static let title: OptionTitle? = .wire

  let limits: HTTPAnswerLimits
  let sdkKeyFile: String?
  let isVerbose: Bool

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, takesKey: true) }

  /// - Parameters:
  ///   - takesKey: whether requests may have the SDK key.
  ///   - isTraced: whether the command can show requests and answers.
  init(_ reader: OptionReader, takesKey: Bool = true, isTraced: Bool = true) throws(CommandError) {
    limits = HTTPAnswerLimits(seconds: try reader[.maxTime], bytes: try reader[.maxAnswer])
    sdkKeyFile = takesKey ? try reader[.sdkKeyFile] : nil
    isVerbose = isTraced ? try reader[.verbose] : false
  }
}

/// The endpoint or models that answer an update, and the requests to them.
struct AnswerOptions: CommandOptions {
  static let title: OptionTitle? = .answer

  let endpoint: Endpoint
  let model: ModelOptions
  let wire: WireOptions

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, isTraced: true) }

  /// - Parameter isTraced: whether the command can show requests and answers.
  init(_ reader: OptionReader, isTraced: Bool) throws(CommandError) {
    endpoint = try reader[.endpoint]
    model = try reader[ModelOptions.self]
    wire = try reader.under(WireOptions.title) { () throws(CommandError) in
      try WireOptions(reader, isTraced: isTraced)
    }
    if model.models.isEmpty {
      let given: [OptionRow] = (model.rates == nil ? [] : [.rates]) + (model.aliases.isEmpty ? [] : [.eventAlias])
      if let option = given.first {
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
    if positional.contains("-"), answering.wire.sdkKeyFile == "-" {
      throw usage("standard input cannot be both the \(noun) and the SDK key")
    }
  }
}

/// Options of the app's server, which reports to the endpoint.
extension OptionRow {
  static let forward = Option<Bool>(
    flag: "forward", "the app's server also reports the step, to launch or evt, with the metadata of the phone")
  static let stale = Option<Bool>(
    flag: "stale", "the server sends what the guides' sample reads: the metadata from before the answer")
  static let api = Option<EndpointAPI>(
    "api", "VERSION", .choice, default: "v1",
    "the version of evt: v1 (default) or v2")
  static let post = Option<Bool>(flag: "post", "the server sends its parameters in the body of a POST")
  static let parameter = Option<[QueryItem]>(
    "parameter", "NAME[=VALUE]", .pair, folding: [],
    "the server sends this value for a parameter; a name alone leaves the parameter out "
      + "(repeatable)", isOncePerName: true
  ) { (items, given) throws(CommandError) in
    let name = given.nameOfPair
    if name.isEmpty { throw given.mustBe("NAME=VALUE, or NAME alone") }
    if name == "a" { throw given.problem("the key is not a parameter: it comes from SKAN_SDK_KEY or --sdk-key-file") }
    items.append(QueryItem(name, given.pair?.value))
  }
}

/// The settings of a report by the app's server.
struct ReportSettings: CommandOptions {
  static let title: OptionTitle? = .server

  private let isStale: Bool
  private let api: EndpointAPI
  private let isPost: Bool
  private let parameters: [QueryItem]

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, isOfEvent: true) }

  /// - Parameter isOfEvent: whether an event is reported, to evt, which has two versions.
  init(_ reader: OptionReader, isOfEvent: Bool) throws(CommandError) {
    isStale = try reader[.stale]
    api = isOfEvent ? try reader[.api] : .v1
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
        "\(name(of: .endpoint)): only production and URLs without a path have launch and evt")
    }
  }
}
