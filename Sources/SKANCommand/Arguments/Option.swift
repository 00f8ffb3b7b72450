/// One option of the command line. Help, parsing and environment twins all come from this value.
struct Option: Sendable {
  let name: String
  let short: Character?
  /// The placeholder of its value; nil for a flag.
  let value: String?
  let help: String
  let isRepeatable: Bool
  /// Whether a variable of the environment stands for it.
  let hasVariable: Bool

  init(
    _ name: String, short: Character? = nil, value: String? = nil, _ help: String, isRepeatable: Bool = false,
    hasVariable: Bool = true
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
    self.hasVariable = hasVariable
  }

  /// `SKAN_…`, which stands for the option where it is not given.
  var variable: String { "SKAN_" + name.uppercased().replacing("-", with: "_") }

  var flag: String { "--\(name)" }
}

extension Option {
  static let state = Option("state", value: "FILE", "the device file (default skan-state.json)")
  static let at = Option(
    "at", value: "TIME", "when: ISO 8601, Unix seconds, +2d3h after the first timed step, or now")
  static let after = Option(
    "after", value: "DURATION", "when: so long after the end of the previous step (2d3h, 500ms)")
  static let json = Option("json", "print the result as one JSON object a line")
  static let expect = Option(
    "expect", value: "PATH=VALUE", "exit 1 unless the result has this value there (repeatable)", isRepeatable: true)
  static let verbose = Option("verbose", short: "v", "show the request and the answer as they went over the wire")
  static let quiet = Option("quiet", short: "q", "print no result (but that of details) and no notes; errors stay")
  static let strict = Option("strict", "exit 1 when a step has a warning of level finding")
  static let lockTimeout = Option(
    "lock-timeout", value: "DURATION", "how long to wait for another run on the same device file (default 30s)")
  static let help = Option("help", short: "h", "print this help", hasVariable: false)
  static let version = Option("version", "print the version", hasVariable: false)

  static let snippet = Option("snippet", value: "NAME", "skan4 (default), skan4-beta or skan3")
  static let ios = Option("ios", value: "VERSION", "version of iOS (default 17.4)")
  static let bundleID = Option("bundle-id", value: "ID", "the app's bundle identifier (default com.example.app)")
  static let appVersion = Option("app-version", value: "VERSION", "the app's version (default 1.0)")
  static let idfv = Option("idfv", value: "ID", "identifier for vendors (default derived; none for none)")
  static let idfa = Option("idfa", value: "ID", "identifier for advertisers (default none: no consent)")
  static let organic = Option("organic", "no ad brought the install: Apple takes every call and sends nothing")

  static let ad = Option(
    "ad", value: "JSON|@FILE",
    "the ad that brought the install, as in lists: {\"version\":\"3.0\",\"campaign\":42,\"tier\":1}")
  static let build = Option("build", value: "NAME", "appstore (default), or development: Apple refuses every call")
  static let clock = Option(
    "clock", value: "NAME", "production (default), or developer: Apple's Developer Mode with windows of 3 minutes")
  static let seed = Option("seed", value: "NUMBER", "of the postbacks' random delays (default 0)")
  static let setting = Option(
    "setting", value: "NAME=VALUE", "settle what Apple leaves open; 'skan help postbacks' lists them (repeatable)",
    isRepeatable: true)

  static let answer = Option(
    "answer", value: "JSON|@FILE", "the endpoint's answer, as in lists: {\"json\":{…}}, {\"text\":…}, {\"error\":…}")
  static let took = Option("took", value: "DURATION", "how long the answer takes: 2.5 (seconds), 500ms, 1m")
  static let frameworkError = Option(
    "framework-error", value: "CODE", "Apple's call fails with this SKANErrorDomain code")
  static let noHandler = Option("no-handler", "the app passes no completion handler")
  static let revenue = Option("revenue", value: "AMOUNT", "add this revenue first, as the guide asks")
  static let currency = Option("currency", value: "CODE", "the currency of --revenue")
  static let adMonetization = Option("ad-monetization", "the revenue is from ads, not from purchases")
  static let idempotencyKey = Option(
    "idempotency-key", value: "KEY", "a key seen before adds no revenue: a retried step does not count money twice")
  static let endpoint = Option(
    "endpoint", value: "WHERE", "embedded (default: no network), testing, production, or an http(s) URL")
  static let model = Option(
    "model", value: "[BUNDLE_ID=]FILE", "let this conversion model answer instead of the embedded test endpoint",
    isRepeatable: true)
  static let rates = Option("rates", value: "FILE", "exchange rates for the model: {\"EUR\":0.92} per US dollar")
  static let eventAlias = Option(
    "event-alias", value: "FROM=TO",
    "the model's event FROM is our event TO, as in session_start=__SESSION__ (repeatable)",
    isRepeatable: true, hasVariable: false)
  static let eventAliasesFile = Option("event-aliases-file", value: "FILE", "the same from a file, one FROM=TO a line")
  static let maxTime = Option("max-time", value: "DURATION", "the longest that an exchange may take (default 10s)")
  static let maxAnswer = Option(
    "max-answer", value: "SIZE", "the most that an answer may hold, unpacked, such as 64KiB (default 1MiB)")
  static let sdkKeyFile = Option("sdk-key-file", value: "FILE", "read the SDK key from a file (- for stdin)")
  static let dryRun = Option("dry-run", "print the request and send nothing; no file is written")
  static let curl = Option("curl", "print the request as a curl command line and send nothing; no file is written")
}
