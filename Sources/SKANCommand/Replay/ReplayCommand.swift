import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANSystem

/// `skan replay`: runs event lists.
enum ReplayCommand {
  static let test = Option<Bool>(flag: "test", "print one line per file and a summary; failures on stderr")
  static let summary = Option<Bool>(
    flag: "summary",
    "print totals instead of each step: outcomes, findings, errors, values")
  static let jobs = Option<Int?>(
    "jobs", "N", .count(from: 1), "how many files run at a time, or threads on one file (default: the number of cores)")
  static let label = Option<Glob?>(
    "label", "GLOB", .glob, "show, check and report only steps with a matching label (all steps run)")
  static let failFast = Option<Bool>(flag: "fail-fast", "stop at the first expectation that fails")
  static let allowEmpty = Option<Bool>(flag: "allow-empty", "succeed even if there is no list or no step")
  static let variable = Option<GivenPairs>(
    "variable", "NAME=VALUE", variables, "the value of ${NAME} in the strings of a list")
  static let retry = Option<Int>(
    "retry", "N", .count(from: 0), default: "0",
    "ask an endpoint again when no answer comes or an expectation fails")
  /// In seconds.
  static let retryInterval = Option<Double>(
    "retry-interval", "DURATION", .seconds, default: "1s", "the time between attempts")
  static let record = Option<OutputFile?>(
    "record", "FILE", .outputFile, "write the list again with the received answers, to run it without an endpoint")
  static let reportJUnit = Option<OutputFile?>(
    "report-junit", "FILE", .outputFile,
    "write a report in JUnit's form, with one case per step, also if the run fails")
  static let reportTAP = Option<OutputFile?>(
    "report-tap", "FILE", .outputFile, "the same in the Test Anything Protocol, version 14")
  static let reportJSON = Option<OutputFile?>("report-json", "FILE", .outputFile, "the same as one JSON object")
  static let reportHTML = Option<OutputFile?>(
    "report-html", "FILE", .outputFile, "the same as a page for browsers, with time lines of phones (below 1 MiB)")
  static let reportMarkdown = Option<OutputFile?>(
    "report-markdown", "FILE", .outputFile, "what failed, and counts, for summaries of CI jobs")
  static let annotate = Option<AnnotationForm?>(
    "annotate", "FORM", .choice, "github: print what failed on stderr as GitHub's annotations of the lists' lines")

  static let matrix = Option<[PhoneMatrix.Axis]>(
    "matrix", "KEY=V,V", each: .matrixAxis,
    "run each list on a phone with each value, and show where they differ (repeatable: all combinations)")

  static let allowInclude = Option<[String]>(
    "allow-include", "DIR", each: .directory,
    "let lists include what is below DIR, not only below their own folder (repeatable)")
  static let state = OptionRow.state.described(
    "start from this device file and save it at the end (one list, one phone)", hasVariable: false, hasDefault: false)
  static let send = PostbacksCommand.send.described(
    "then deliver the postbacks of all phones: to this address, and a copy to the developer")

  /// The form of a variable, the same in a file as on the command line.
  static let variables = PairsFile(
    what: "the variable", form: "NAME=VALUE, the name of letters, digits and _ - .", takesEmpty: true,
    isName: { Variables.isName($0) })

  static let spec = CommandSpec(
    "replay", "Run event lists and check what they expect", arguments: ["FILE"], isLastRepeatable: true,
    argumentFiles: "the list ",
    examples: [
      "skan replay fixtures/first-month.jsonl", "skan replay --test fixtures/",
      "skan replay --json list.jsonl | jq .outcome", "skan replay --summary list.jsonl",
      "generate-events | skan replay -",
      "skan replay --quiet list.jsonl --sign key.pem --send http://localhost:8080/postbacks",
      "skan replay --endpoint http://localhost:8080 --record offline.jsonl online.jsonl",
    ], sections: sections
  ) { (options: ReplayOptions, invocation) throws(CommandError) in
    try invocation.requireOneInput(options.answering, called: "list")
    if invocation.positional.count(where: { $0 == "-" }) > 1 {
      throw invocation.usage("standard input can be one list only")
    }
    let sources = try invocation.listSources(allowsEmpty: options.allowsEmpty)
    try invocation.checkFiles(reading: sources.map(\.path))
    let start = invocation.environment.now()
    var run: ReplayRun?
    var code = ExitCode.ok
    var failures: [CommandError] = []
    do throws(CommandError) { code = try replay(sources, options, invocation, &run) } catch { failures.append(error) }
    // A wrong command line has run nothing, and keeps earlier reports.
    if !options.reports.isEmpty || options.annotates, failures.first?.code != .usage {
      let report = ReplayReport(invocation.environment, run, start: start, failures.first)
      failures += options.reports.write(report, invocation.environment)
      if options.annotates { invocation.environment.printError(GitHubAnnotations.lines(of: report).map { .fixed($0) }) }
    }
    guard let first = failures.firstIndex(where: { $0.code != .ok }) ?? failures.indices.first else { return code }
    let failure = failures.remove(at: first)
    for other in failures { invocation.environment.printError(other.lines()) }
    throw failure
  }

  /// - Parameter run: set as soon as there is something to report.
  private static func replay(
    _ sources: [ListSource], _ options: ReplayOptions, _ invocation: Invocation, _ run: inout ReplayRun?
  ) throws(CommandError) -> ExitCode {
    let environment = invocation.environment
    let setup = try StepSetup(options.answering, isQuiet: options.mode == .quiet, invocation)
    let settings = try options.settings(invocation)
    let delivery = try options.delivery.map { (delivery) throws(CommandError) in
      let signer = try PostbackSigner(
        keyFile: options.keyFile, keyID: options.keyID, isQuiet: options.mode == .quiet, environment)
      let sender = PostbackSender(delivery, signer, environment)
      if let note = sender.note, options.mode != .quiet { environment.printError([note]) }
      return ListDelivery(sender, environment)
    }
    var sources = sources.map { $0.opened(by: environment.files) }
    if let matrix = options.matrix {
      if let pipe = sources.first(where: { !$0.isRegular }) {
        throw invocation.usage("\(Self.matrix.flag) reads each list several times, and \(pipe.path) is no file")
      }
      sources = sources.flatMap { $0.runs(on: matrix) }
    }
    let new = ReplayRun(settings, setup, sources)
    run = new
    try new.requireLists()
    if settings.record != nil, sources.count != 1 {
      throw invocation.usage("\(invocation.name(of: record)) goes with exactly one list")
    }
    guard let state = options.state else {
      let code = try new.run()
      guard let delivery else { return code }
      let ending = try delivery.run(new.departures, settings)
      return code == .ok ? ending : code
    }
    guard sources.count == 1 else { throw invocation.usage("--state goes with exactly one list") }
    try new.check()
    do throws(CommandError) {
      try continuePhone(new, of: DeviceStore(state, lockSeconds: options.lockSeconds, environment))
    } catch {
      // The list's own mistakes are reported at the end, as for every list.
      if error != Self.listIsWrong { new.schedule.fail(error) }
    }
    return try new.end()
  }

  private static let sections = [
    CommandSpec.Section(
      heading: "FILE is:",
      rows: [
        ("a file or a pipe", "an event list, one step per line; - is standard input"),
        ("a directory", "all lists (*.jsonl) in it and below it, except those whose names begin with . or _"),
        ("a pattern in quotes", "* ? [...] as in a shell"),
      ]),
    CommandSpec.Section(
      heading: "Several threads run one list:",
      rows: [
        (
          "with --test, --summary or -q",
          "and without -v, --fail-fast, --record, --state, --send or an --endpoint elsewhere"
        ),
        ("without --report-html", "since its time lines are drawn while the steps run"),
        ("from a file", "of 256 KiB or more, with many phones, in which most lines name their phone"),
      ]),
    CommandSpec.Section(
      heading: "--summary counts:",
      rows: [
        ("selected steps", "of --label: their outcomes, findings, errors and failures"),
        ("all phones", "what Apple holds after the last step of each, and their postbacks then"),
        ("but not", "lists with mistakes, phones of a list that --fail-fast stops, installs that were replaced"),
        ("with --test", "below its lines; with --json, one object instead of the results"),
      ]),
    CommandSpec.Section(
      heading: "It ends with:",
      rows: [
        ("1", "an expectation failed, or with --strict a finding was made"),
        (
          "69, 76",
          "a remote --endpoint did not answer a step, or answered with an error, and its \"expect\" does not say so: the "
            + "first such step decides"
        ),
        ("0", "otherwise: errors in answers that a list states, or a model gives, are tests of the app"),
      ]),
    CommandSpec.Section(
      heading: "In a list:",
      rows: [
        ("\"${NAME}\"", "a variable: --variable, then its @FILE, then SKAN_VARIABLE_NAME; \"$${\" is \"${\""),
        ("\"idfv\":\"${idfv}\"", "with --variable idfv=random a new UUID in each run and list"),
        ("\"skip\":\"WHY\"", "the step does not run"),
        ("\"expect\":[{\"when\":{\"ios\":\">=16.1\"},…},…]", "an expectation is checked on such a phone only"),
        ("\"op\":\"include\"", "the steps of \"file\", which is searched beside the list, replace it"),
      ]),
    CommandSpec.Section(
      heading: "In \"expect\", instead of a value:",
      rows: [
        ("{\"$exists\":true}", "anything but null; false: null or absent"),
        ("{\"$matches\":\"^Upd\"}", "a text that contains a match of the regular expression"),
        ("{\"$between\":[0,63]}", "a number from 0 to 63"),
        ("{\"$approx\":5,\"within\":1}", "a number at most 1 away from 5"),
        ("{\"$contains\":\"x\"}", "a text or an array with x in it; {\"a\":1}: an object with this member"),
      ]),
  ]

  private static let listIsWrong = CommandError.lists([], count: 0)

  /// Runs one list on the phone of a device file, which is saved once at the end.
  private static func continuePhone(_ run: ReplayRun, of store: DeviceStore) throws(CommandError) {
    try store.changingExisting { (file) throws(CommandError) in
      var phone = file.phone
      phone.clock.runWithSteps()
      let records = DeviceFileObserver(file, run.invocation)
      let after = run.run(0, phone: phone, observers: [records])
      file = records.file
      if let failure = run.schedule.failure { throw failure }
      guard try run.problems().count == 0 else { throw listIsWrong }
      if let after { file.phone = after }
    }
  }
}

extension ValueParser<PhoneMatrix.Axis> {
  fileprivate static var matrixAxis: Self {
    Self(.text) { (given) throws(CommandError) in
      switch PhoneMatrix.Axis.read(given.text) {
      case .success(let axis): return axis
      case .failure(let problem): throw problem.isForm ? given.mustBe(problem.message) : given.problem(problem.message)
      }
    }
  }
}

/// The system for which failures are printed, so that it shows them at the lines of the lists.
enum AnnotationForm: String, CaseIterable, Sendable {
  case github
}
