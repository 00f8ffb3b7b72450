import SKANDevice
import SKANBase
import SKANTraffic

/// `skan check`: captured traffic against the rules.
enum CheckCommand {
  /// Which form the result has.
  enum Form { case text, json, csv, sarif }

  static let host = Option<TrafficHosts>(
    "host", "NAME=ROLE", .pair, folding: TrafficHosts(),
    "a proxy of one's own, for singular or s2s: proxy.example=s2s (repeatable)"
  ) { (hosts, given) throws(CommandError) in
    guard let (name, role) = given.pair, !name.isEmpty, !name.contains("/") else {
      throw given.mustBe("NAME=singular or NAME=s2s, the name of a host without a path")
    }
    guard let role = TrafficHosts.Role(rawValue: role) else {
      let roles = TrafficHosts.Role.allCases.map(\.rawValue)
      let near = nearestName(to: role, in: roles).map { "; did you mean \($0)?" } ?? ""
      throw given.mustBe("NAME=singular or NAME=s2s", hint: near)
    }
    hosts.add(name, as: role)
  }
  static let since = Option<Instant?>(
    "since", "TIME", .instant, "report on requests from this time on; earlier ones are history")
  static let until = Option<Instant?>("until", "TIME", .instant, "report on requests before this time")
  static let device = Option<String?>("device", "ID", .text, "report on the device of this idfv, idfa or sdid")
  static let timezone = Option<UTCOffset?>(
    "timezone", "OFFSET", .offset, "the offset of times that have none: +02:00 or Z")
  static let csv = Option<Bool>(flag: "csv", "print the findings in the columns of Singular's SDK audit")
  static let sarif = Option<Bool>(flag: "sarif", "print the findings in SARIF 2.1.0")
  static let reportJUnit = ReplayCommand.reportJUnit.described(
    "write a report in JUnit's form, one case a rule and device")
  static let failOn = Option<TrafficRule.Level>(
    "fail-on", "LEVEL", .choice, default: "error", "exit 1 from this level on: error, warning or note")
  static let redacted = Option<OutputFile?>(
    "redacted", "FILE", .outputFile,
    "write the requests to Singular as a HAR that may be shared: without keys and tokens")
  static let toList = Option<OutputFile?>(
    "to-list", "FILE", .outputFile,
    "write the traffic as an event list; 'skan replay' of it says where the app differs from the snippet")

  struct Options: CommandOptions {
    let hosts: TrafficHosts
    let selection: TrafficSelection
    let timezone: UTCOffset?
    let failOn: TrafficRule.Level
    let form: Form
    let isQuiet: Bool
    let files: CheckFiles

    init(_ reader: OptionReader) throws(CommandError) {
      hosts = try reader[host]
      selection = TrafficSelection(since: try reader[since], until: try reader[until], device: try reader[device])
      timezone = try reader[CheckCommand.timezone]
      failOn = try reader[CheckCommand.failOn]
      form = try reader.choice((.json, .json), (csv, .csv), (sarif, .sarif)) ?? .text
      let words = reader.has(.quiet) ? nil : "- needs --quiet: it goes to standard output"
      files = CheckFiles(
        junit: try reader.output(reportJUnit, standardOutputIsTaken: words),
        redacted: try reader.output(redacted, standardOutputIsTaken: words),
        list: try reader.output(toList, standardOutputIsTaken: words))
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    .check, "Check captured traffic: HAR, journal, access log or URLs", arguments: ["FILE"], isLastRepeatable: true,
    argumentFiles: "the capture ",
    examples: [
      "skan check capture.har", "skan check --host proxy.example=s2s access.log --fail-on warning",
      "skan check --csv capture.har > findings.csv", "skan check -q --to-list life.jsonl capture.har",
      "skan check alb/*.log.gz",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    // The requests of a capture that is named twice would be duplicates.
    try invocation.checkNamedOnce(invocation.positional, hint: "a capture, or - for standard input")
    return try CheckRun(invocation, options).run()
  }
}

extension ValueParser<UTCOffset> {
  fileprivate static var offset: Self {
    Self(.text) { (given) throws(CommandError) in
      guard let offset = UTCOffset(given.text) else { throw given.mustBe("an offset such as +02:00, or Z") }
      return offset
    }
  }
}
