import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANRun
import SKANSystem
import SKANTraffic

/// `skan check`: checks captured traffic against the rules.
enum CheckCommand {
  static let host = Option<TrafficHosts>(
    "host", "NAME=ROLE", .pair, folding: TrafficHosts(),
    "your own proxy for singular or s2s: proxy.example=s2s (repeatable)"
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
  static let device = Option<String?>("device", "ID", .text, "report on the device with this idfv, idfa or sdid")
  static let timezone = ExportOptions.timezone.described(
    "the zone of times without an offset: UTC, +02:00 or Europe/Berlin")
  static let fields = Option<LogFields?>(
    "fields", "PART=NAME,…", .logFields,
    "the members or columns of a log in another form: time=ts,method=verb,url=uri,status=code; also path and query, "
      + "request, host, scheme, address")
  static let client = Option<ConversionClient?>(
    "client", "WHO", .choice,
    "what asks conversion_value: snippet (the app) or server; otherwise inferred from the requests"
  )
  static let maxCompletion = Option<TimeSpan>(
    "max-completion", "DURATION", .durationOrSeconds, default: "5s",
    "how long Apple's completion may take to store an answer: a request with older values is stale-request until then, "
      + "and answer-not-shown after it")
  static let model = OptionRow.model.described(
    "the model that answers, to check that a server sends the totals that it counts")
  static let csv = OptionRow.csv.described("print the findings in the columns of Singular's SDK audit")
  static let sarif = Option<Bool>(flag: "sarif", "print the findings in SARIF 2.1.0")
  static let reportJUnit = ReplayCommand.reportJUnit.described(
    "write a report in JUnit's form, with one case per rule and device")
  static let failOn = Option<TrafficRule.Level>(
    "fail-on", "LEVEL", .choice, default: "error", "exit 1 from this level on: error, warning or note")
  static let redacted = Option<OutputFile?>(
    "redacted", "FILE", .outputFile,
    "write the requests to Singular as a HAR that may be shared: without keys and tokens")
  static let toList = Option<OutputFile?>(
    "to-list", "FILE", .outputFile,
    "write the traffic as an event list; 'skan replay' shows where the app differs from the snippet")

  struct Options: CommandOptions {
    let hosts: TrafficHosts
    /// In bytes.
    let mostUnpacked: Int
    let selection: TrafficSelection
    let timezone: ExportTimeZone?
    let fields: LogFields?
    let client: ConversionClient?
    let mostCompletion: TimeSpan
    /// Its models tell which totals a server must send.
    let model: ModelOptions
    let failOn: TrafficRule.Level
    /// SARIF is the other form.
    let form: FormOptions.Form
    let isQuiet: Bool
    let files: CheckFiles

    init(_ reader: OptionReader) throws(CommandError) {
      reader.declare(CheckCommand.failOn, under: .expectations)
      reader.declare(.json, csv, sarif, reportJUnit, redacted, toList, .quiet, under: .output)
      hosts = try reader[host]
      selection = TrafficSelection(since: try reader[since], until: try reader[until], device: try reader[device])
      timezone = try reader[CheckCommand.timezone]
      fields = try reader[CheckCommand.fields]
      client = try reader[CheckCommand.client]
      mostCompletion = try reader[CheckCommand.maxCompletion]
      model = ModelOptions(only: try reader[CheckCommand.model])
      failOn = try reader[CheckCommand.failOn]
      mostUnpacked = try reader[PackedInputs.maxUnpacked]
      form = try FormOptions(reader, csv: csv, or: sarif, hasPage: false).form
      let words = reader.has(.quiet) ? nil : "- needs --quiet: it goes to standard output"
      files = CheckFiles(
        junit: try reader.output(reportJUnit, replacing: [], standardOutputIsTaken: words),
        redacted: try reader.output(redacted, replacing: [.har], standardOutputIsTaken: words),
        list: try reader.output(toList, replacing: [.eventList], standardOutputIsTaken: words))
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    "check", "Check captured traffic: HAR, journal, access log or URLs", arguments: ["FILE"], isLastRepeatable: true,
    argumentFiles: "the capture ",
    examples: [
      "skan check capture.har", "skan check --host proxy.example=s2s access.log --fail-on warning",
      "skan check --csv capture.har > findings.csv", "skan check -q --to-list life.jsonl capture.har",
      "skan check alb/*.log.gz", "skan check --fields time=ts,method=verb,url=uri,status=code log.ndjson",
    ],
    sections: [CommandSpec.Section(heading: "Captures, recognized by their content:", rows: CaptureFormat.rows)]
  ) { (options: Options, invocation) throws(CommandError) in
    // The requests of a capture named twice would be duplicates.
    try invocation.checkNamedOnce(invocation.positional, hint: "a capture, or - for standard input")
    var run = CheckRun(invocation, options)
    return try run.run()
  }
}

extension ValueParser<LogFields> {
  /// Names of the parts of requests in a log, as in `time=ts,url=request.uri`.
  fileprivate static var logFields: Self {
    Self(.text) { (given) throws(CommandError) in
      var fields = LogFields()
      for pair in given.text.split(separator: ",", omittingEmptySubsequences: false) {
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let part = halves[0].trimming { $0 == " " }
        let name = halves.count == 2 ? String(halves[1].trimming { $0 == " " }) : ""
        let parts = LogPart.allCases.map(\.rawValue)
        if name.isEmpty { throw given.mustBe("PART=NAME with commas between, as in time=ts,method=verb,url=uri") }
        guard let known = LogPart(rawValue: String(part)) else {
          let near = nearestName(to: String(part), in: parts).map { "; did you mean \($0)?" } ?? ""
          throw given.problem("\(part) is none of \(parts.joined(separator: ", "))\(near)")
        }
        if fields.has(known) { throw given.problem("\(part) is given twice") }
        fields.add(name, for: known)
      }
      if let lack = fields.lack { throw given.problem("it lacks \(lack)") }
      return fields
    }
  }
}

/// A run of `skan check`.
struct CheckRun {
  private let invocation: Invocation
  private let options: CheckCommand.Options
  private var context: TrafficContext
  private var environment: Environment { invocation.environment }
  private var selection: TrafficSelection { options.selection }

  init(_ invocation: Invocation, _ options: CheckCommand.Options) {
    self.invocation = invocation
    self.options = options
    context = TrafficContext(client: options.client, completion: options.mostCompletion)
  }

  mutating func run() throws(CommandError) -> ExitCode {
    context.endpoint =
      options.model.models.isEmpty ? nil : try invocation.referenceEndpoint(options.model)
    let (traffic, tally) = try read()
    var report = TrafficReport(traffic, tally: tally)
    report.finish(try check(traffic, &report))
    try show(report)
    try options.files.write(report, failingOn: options.failOn, isQuiet: options.isQuiet, environment) {
      () throws(CommandError) in
      var selected: [CapturedRequest] = []
      try traffic.forEach(CommandError.init(spool:)) { (request) throws(CommandError) in
        if selection.contains(request.at, request.device) { selected.append(request) }
      }
      return selected
    }
    return try end(report)
  }

  /// Checks one device after another, so that only one life at a time is in memory.
  ///
  /// - Returns: the rules that were not evaluated.
  private func check(
    _ traffic: OrderedTraffic, _ report: inout TrafficReport
  ) throws(CommandError) -> [(rule: TrafficRule, gap: TrafficSummary.Gap)] {
    var survey = TrafficSurvey(hidden: report.tally.hidden)
    var devices: [UInt32] = []
    try traffic.forEach(CommandError.init(spool:)) { (request) throws(CommandError) in
      devices.append(survey.add(request, kind: EndpointKind(path: request.request.path)))
    }
    let parts = survey.parts(of: devices)
    devices = []
    var checker = TrafficChecker(survey, context)
    survey = TrafficSurvey()
    try traffic.forEach(in: parts, CommandError.init(spool:)) { (request) throws(CommandError) in
      guard let kind = EndpointKind(path: request.request.path) else { return }
      let findings = checker.check(request, kind: kind)
      if selection.contains(request.at, checker.device) { report.add(kind, of: checker.device, request.answer) }
      try add(findings, to: &report, from: request)
    } end: { () throws(CommandError) in
      try add(checker.finishLives(), to: &report)
      report.endPart()
    }
    try add(checker.finish(), to: &report)
    for finding in checker.open where selection.contains(finding.at, finding.device) {
      do throws(FileError) { try report.add(open: finding) } catch { throw CommandError(spool: error) }
    }
    return checker.summary.gaps
  }

  /// Adds the selected findings.
  ///
  /// - Parameter request: the request that revealed the findings. They may be located at another one.
  private func add(
    _ findings: [TrafficFinding], to report: inout TrafficReport, from request: CapturedRequest? = nil
  ) throws(CommandError) {
    for finding in findings where selection.contains(finding.at, finding.device) {
      do throws(FileError) { try report.add(finding, at: request) } catch { throw CommandError(spool: error) }
    }
  }

  /// The kinds of files that are read, and those about which the reader of captures has words of its own.
  private static let captures: Set<ContentKind> = [
    .har, .journal, .urls, .accessLog, .eventList, .utf16, .gzip, .zip,
  ]

  private func read() throws(CommandError) -> (OrderedTraffic, CaptureTally) {
    var traffic = CapturedTraffic()
    var zone: LocalOffset?
    if let timezone = options.timezone { zone = { timezone.offset(atLocal: $0) } }
    var reader = CaptureReader(hosts: options.hosts, zone: zone, fields: options.fields) { traffic.append($0, of: $1) }
    let inputs = PackedInputs(
      count: invocation.positional.count, mostUnpacked: options.mostUnpacked, isWatched: !options.isQuiet, environment)
    // A log that the user describes may have the members of an export.
    let kinds = options.fields == nil ? Self.captures : Self.captures.union([.export, .table])
    reader.otherContent = { ContentKind.message(of: $0, file: $1.oneLine, unless: kinds) }
    for path in invocation.positional {
      do throws(SourceFailure) {
        try reader.read(try inputs.open(path), file: path)
      } catch {
        let hint = environment.files.hint(forMissing: path, else: "name a capture, or - for standard input")
        throw CommandError(error, file: path, hint: hint)
      }
    }
    do throws(FileError) { return (try traffic.ordered(), reader.tally) } catch { throw CommandError(spool: error) }
  }

  private func show(_ report: TrafficReport) throws(CommandError) {
    if options.isQuiet { return }
    switch options.form {
    case .text:
      try TrafficText(report).write(CommandError.init(spool:)) { (line) throws(CommandError) in
        try environment.print([line])
      }
    case .json:
      try environment.write(JSONWriter.text(report) + "\n")
      try report.forEachGroup(CommandError.init(spool:)) { (group, shown) throws(CommandError) in
        try environment.write(TrafficReport.groupFields.text((group, shown)) + "\n")
      }
    case .csv:
      try environment.write(TrafficReport.csvHead)
      try report.forEachGroup(CommandError.init(spool:)) { (group, shown) throws(CommandError) in
        try environment.write(group.csvLine(shown))
      }
      for open in report.open { try environment.write(open.csvLine) }
    case .other:
      try environment.write(JSONWriter.text(report.sarif(version: CommandLineTool.version), layout: .indented) + "\n")
    }
  }

  /// Reports what could not be read, and returns the exit code.
  private func end(_ report: TrafficReport) throws(CommandError) -> ExitCode {
    let tally = report.tally
    if !options.isQuiet {
      environment.printError(tally.remarks.map(\.line))
      if tally.moreRemarks > 0 { environment.printError([.remark("and \(tally.moreRemarks) more remarks")]) }
    }
    for host in tally.undecrypted.keys.sorted() where options.hosts.contains(host) {
      environment.printError(
        [.remark("TLS was not decrypted for \(host.oneLine): what went there is not checked")])
    }
    if !tally.problems.isEmpty { throw .lines(tally.problems.map(\.line), more: tally.moreProblems) }
    if report.counts.total == 0 { throw .nothingToCheck(nothing(tally)) }
    let rules = report.groups.map(\.finding.rule)
    if options.form == .text, !options.isQuiet,
      let rule = rules.first(where: { $0.level == .error }) ?? rules.first(where: { $0.level == .warning })
    {
      environment.printError([ExplanationHint.line(rule)])
    }
    guard report.fails(on: options.failOn) else { return .ok }
    if options.isQuiet || options.form != .text {
      let counts = TrafficRule.Level.allCases.map { report.count($0).counted($0.rawValue) }
      environment.printError([.remark(counts.joined(separator: ", "), .failure)])
    }
    return .expectationFailed
  }

  private func nothing(_ tally: CaptureTally) -> String {
    if !selection.isEverything { return "no request to Singular in this selection" }
    return "no request to Singular; \(invocation.name(of: CheckCommand.host)) names your own proxy"
  }
}

extension CommandError {
  /// - Parameter error: the error of storing requests in temporary files, or of reading them back.
  init(spool error: FileError) {
    self = .cannotWrite(
      file: "\(error.path)/skan-…", reason: "\(error.reason) (requests to Singular are set aside there)")
  }
}

extension CaptureProblem {
  /// `FILE:LINE: message`, with the number of the entry in the message.
  fileprivate var line: StyledText {
    .at(
      "\(location.file.oneLine):\(location.line)",
      "\(location.entry > 0 ? "entry \(location.entry): " : "")\(message)")
  }
}
