import SKANDevice
import SKANRun

/// What every command that runs a step takes, and help and version.
extension OptionRow {
  static let state = Option<String>(
    "state", "FILE", .namedFile, default: "skan-state.json", "the device file")
  static let at = Option<TimeSpec?>(
    "at", "TIME", .time, "when: ISO 8601, Unix seconds, +2d3h after the first timed step, or now")
  static let after = Option<TimeSpan?>(
    "after", "DURATION", .durationOrSeconds, "when: so long after the end of the previous step (2d3h, 500ms)")
  static let json = Option<Bool>(flag: "json", "print the result as one JSON object a line")
  static let expect = Option<[Expectation]>(
    "expect", "PATH=VALUE", each: .expectation, "exit 1 unless the result has this value there (repeatable)")
  static let verbose = Option<Bool>(
    flag: "verbose", short: "v", "show the request and the answer as they went over the wire")
  static let quiet = Option<Bool>(
    flag: "quiet", short: "q", "print no result (but that of details) and no notes; errors stay")
  static let strict = Option<Bool>(flag: "strict", "exit 1 when a step has a warning of level finding")
  /// In seconds.
  static let lockTimeout = Option<Double>(
    "lock-timeout", "DURATION", .seconds, default: "30s",
    "how long to wait for another run on the same device file")
  static let help = Option<Bool>(flag: "help", short: "h", "print this help", hasVariable: false)
  static let version = Option<Bool>(flag: "version", "print the version", hasVariable: false)
}

/// The options of every command that runs a step.
struct StepOptions: CommandOptions {
  /// The device file.
  let state: String
  /// The time of `--at` or `--after`; nil without one.
  let time: TimeSpec?
  let isJSON: Bool
  let expectations: [Expectation]
  let isVerbose: Bool
  let isQuiet: Bool
  let isStrict: Bool
  let lockSeconds: Double

  init(_ reader: OptionReader) throws(CommandError) { try self.init(reader, state: .state) }

  init(_ reader: OptionReader, state: Option<String>) throws(CommandError) {
    self.state = try reader[state]
    let form = try reader.oneOf([.at, .after]) { "two times are given: \($0) and \($1)" }
    let at = try reader.value(of: .at, if: form == OptionRow.at)
    time = try reader.value(of: .after, if: form == OptionRow.after).map(TimeSpec.after) ?? at
    isJSON = try reader[.json]
    expectations = try reader[.expect]
    isVerbose = try reader[.verbose]
    isQuiet = try reader[.quiet]
    isStrict = try reader[.strict]
    lockSeconds = try reader[.lockTimeout]
  }
}
