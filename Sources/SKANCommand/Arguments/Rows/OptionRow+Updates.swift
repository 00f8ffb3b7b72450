import SKANDevice
import SKANRun
import SKANBase

/// What a session or an event takes, and revenue.
extension OptionRow {
  static let answer = Option<EndpointAnswer?>(
    "answer", "JSON|@FILE",
    .json("the answer", of: "--answer", advice: "; a body goes inside, as in {\"json\":{\"conversion_value\":5}}") {
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
  /// Nil without `--revenue`.
  let revenue: Step.Revenue?
  /// What the other options of revenue depend on.
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
