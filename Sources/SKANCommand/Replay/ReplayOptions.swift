import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANSystem

/// The options for variables and for included lists.
struct ListOptions: CommandOptions {
  static let title: OptionTitle? = .list

  private let given: GivenPairs
  let includes: IncludePermission

  init(_ reader: OptionReader) throws(CommandError) {
    given = try reader[ReplayCommand.variable]
    includes = IncludePermission(
      folders: try reader[ReplayCommand.allowInclude], target: reader.invocation.environment.files.target)
  }

  /// The variables. A pair of `--variable` takes precedence over its file, and the file over the environment.
  func variables(_ invocation: Invocation) throws(CommandError) -> Variables {
    let environment = invocation.environment
    let prefix = VariableNames.ofLists
    var values: [String: String] = [:]
    for (name, value) in environment.variables(prefix) {
      let name = String(name.dropFirst(prefix.count))
      if Variables.isName(name) { values[name] = value }
    }
    if let file = given.file {
      let bytes = try environment.readRequired(
        file, as: [.pairs], hint: "it should hold variables, one NAME=VALUE per line")
      try values.merge(ReplayCommand.variables.read(bytes, of: file)) { $1 }
    }
    for pair in given.pairs { values[pair.name] = pair.value }
    if let idfv = values[Variables.idfv] {
      _ = try invocation.isRandom(idfv: idfv, of: "the variable \(Variables.idfv)")
    }
    return Variables(values, randomIDFV: environment.randomIDFV)
  }
}

/// The options of `skan replay`.
struct ReplayOptions: CommandOptions {
  let mode: ReplaySettings.Mode
  /// Nil if no summary is printed.
  let summary: ReplaySettings.SummaryForm?
  /// Nil if each list runs once.
  let matrix: PhoneMatrix?
  let isStrict: Bool
  let failsFast: Bool
  let label: Glob?
  let jobs: Int?
  let allowsEmpty: Bool
  let lists: ListOptions
  let answering: AnswerOptions
  let retries: Int
  let retrySeconds: Double
  let record: OutputFile?
  let reports: ReportFiles
  let annotates: Bool
  /// The device file of the phone to continue; nil if phones start anew. Only the option selects one: the environment
  /// variable is meant for single commands.
  let state: String?
  let lockSeconds: Double
  /// Nil if no postbacks are delivered.
  let delivery: DeliveryOptions?
  /// The file of the private key that signs postbacks.
  let keyFile: String?
  let keyID: String?

  init(_ reader: OptionReader) throws(CommandError) {
    reader.declare(ReplayCommand.test, ReplayCommand.summary, .json, .quiet, under: .output)
    reader.declare(.strict, ReplayCommand.failFast, under: .expectations)
    reader.declare(ReplayCommand.state, .lockTimeout, under: .device)
    reader.declare(
      ReplayCommand.send, PostbacksCommand.developer, PostbacksCommand.sign, PostbacksCommand.kid, under: .postbacks)
    let form = try reader.oneOf([.json, ReplayCommand.test])
    let hasSummary = try reader[ReplayCommand.summary]
    summary = hasSummary ? form == OptionRow.json ? .json : .text : nil
    let isQuiet = try reader[.quiet]
    mode =
      isQuiet
      ? .quiet : form == ReplayCommand.test ? .test : hasSummary ? .summary : form == nil ? .steps : .json
    isStrict = try reader[.strict]
    failsFast = try reader[ReplayCommand.failFast]
    label = try reader[ReplayCommand.label]
    let axes = try reader[ReplayCommand.matrix]
    let names = axes.map(\.key.name)
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw reader.refused(ReplayCommand.matrix, "names \(name) twice: give its values in one")
    }
    guard let matrix = PhoneMatrix(axes) else {
      throw reader.refused(ReplayCommand.matrix, "makes more than \(PhoneMatrix.mostCells) phones of each")
    }
    self.matrix = axes.isEmpty ? nil : matrix
    jobs = try reader[ReplayCommand.jobs]
    allowsEmpty = try reader[ReplayCommand.allowEmpty]
    lists = try reader[ListOptions.self]
    answering = try reader[AnswerOptions.self]
    retries = try reader[ReplayCommand.retry]
    if retries > 0, !answering.endpoint.isRemote {
      throw reader.refused(ReplayCommand.retry, "goes with an --endpoint that can fail")
    }
    retrySeconds = try reader[
      ReplayCommand.retryInterval,
      OptionReader.Condition(retries > 0, "belongs to \(ReplayCommand.retry.flag)")]
    let beside = hasSummary ? " without \(reader.name(of: ReplayCommand.summary))" : ""
    let isTaken = !isQuiet || hasSummary
    record = try reader.output(
      ReplayCommand.record, replacing: [.eventList],
      standardOutputIsTaken: isTaken ? "- needs --quiet\(beside): the list goes to standard output" : nil)
    if record != nil, !answering.endpoint.isRemote, answering.model.models.isEmpty {
      throw reader.refused(ReplayCommand.record, "keeps the answers of an --endpoint or a --model")
    }
    (reports, annotates) = try reader.under(.reports) { () throws(CommandError) in
      (
        try ReportFiles(
          reader, standardOutputIsTaken: isTaken ? "- needs --quiet\(beside): the report goes to standard output" : nil),
        try reader[ReplayCommand.annotate] != nil
      )
    }
    let path = try reader[ReplayCommand.state]
    let continuesPhone = reader.isGiven(ReplayCommand.state)
    state = continuesPhone ? path : nil
    lockSeconds = try reader[
      .lockTimeout, OptionReader.Condition(continuesPhone, "belongs to \(OptionRow.state.flag)")]
    if self.matrix != nil {
      for (isGiven, other) in [
        (record != nil, ReplayCommand.record as OptionRow), (continuesPhone, ReplayCommand.state),
      ]
      where isGiven {
        throw reader.refused(ReplayCommand.matrix, "runs a list on several phones, and \(other.flag) is about one")
      }
    }
    let network = try reader[ReplayCommand.send]
    let isSent = OptionReader.Condition(network != nil, "goes with \(ReplayCommand.send.flag)")
    let developer = try reader[PostbacksCommand.developer, isSent]
    keyFile = try reader[PostbacksCommand.sign, isSent]
    keyID = try reader[
      PostbacksCommand.kid, OptionReader.Condition(keyFile != nil, "belongs to \(PostbacksCommand.sign.flag)")]
    if network != nil, continuesPhone {
      throw reader.refused(
        ReplayCommand.state,
        "and \(ReplayCommand.send.flag) exclude each other: 'skan postbacks --send' delivers what has left the phone of a "
          + "device file")
    }
    delivery = network.map { [wire = answering.wire] in
      DeliveryOptions(network: $0, developer: developer, limits: wire.limits, isVerbose: wire.isVerbose)
    }
  }

  /// The settings of the replay.
  func settings(_ invocation: Invocation) throws(CommandError) -> ReplaySettings {
    var run = RunSettings(includes: lists.includes)
    run.jobs = jobs ?? invocation.environment.cores()
    run.label = label
    run.stopsAtFailure = failsFast
    run.retries = retries
    run.retrySeconds = retrySeconds
    run.variables = try lists.variables(invocation)
    run.continuesPhone = state != nil
    run.allowsEmpty = allowsEmpty
    run.keepsRecords = !reports.isEmpty || annotates
    run.isRemote = answering.endpoint.isRemote
    run.isStrict = isStrict
    run.redactor = invocation.environment.redactor
    return ReplaySettings(
      mode: mode, isVerbose: answering.wire.isVerbose, summary: summary,
      countsSummary: summary != nil || annotates || reports.files.contains { $0.form.showsSummary },
      drawsLives: reports.files.contains { $0.form == .html }, record: record, lists: run,
      keepsDepartures: delivery != nil || matrix != nil, matrix: matrix)
  }
}

/// The settings of a replay.
struct ReplaySettings: Sendable {
  /// The form in which each step is printed. `test`, `summary` and `quiet` print no steps.
  enum Mode { case steps, json, test, summary, quiet }
  /// The format of the summary.
  enum SummaryForm { case text, json }

  let mode: Mode
  let isVerbose: Bool
  /// Nil if no summary is printed.
  let summary: SummaryForm?
  /// Whether the counts of a summary are collected, for printing or for a report.
  let countsSummary: Bool
  /// Whether a report contains drawings of phones' lives.
  let drawsLives: Bool
  /// The file for the list with the received answers.
  let record: OutputFile?
  let lists: RunSettings
  /// Whether departing postbacks are kept for delivery.
  let keepsDepartures: Bool
  /// The phones on which each list runs; nil if it runs once.
  let matrix: PhoneMatrix?

  /// Whether the steps produce no visible effect before the end, so that lists can be checked while they run.
  var isSilent: Bool {
    matrix == nil && (mode == .test || mode == .summary || mode == .quiet) && !isVerbose && !lists.isRemote
      && !lists.stopsAtFailure
  }

  /// Whether results are needed even of steps that are not selected.
  var needsResults: Bool { record != nil || lists.continuesPhone || lists.isRemote || drawsLives }

  /// Whether findings are printed like failures. The lines of steps already include them.
  var printsFindings: Bool { lists.isStrict && mode == .test }

  /// Whether steps without expectations can be among the failures that the summary groups.
  var groupsFindings: Bool { lists.isStrict && countsSummary }

  /// Whether the names of the phones are needed at the end of a list.
  var keepsNames: Bool { keepsDepartures || countsSummary }

  /// The context for reading a list.
  func readerOptions(of source: ListSource, _ files: FileAccess) -> ListReader.Options {
    var options = lists.readerOptions(of: source.name, open: files.open, openFile: files.openFile)
    options.varies = source.cell
    options.otherContent = files.contentOfNoList
    options.readPlists()
    return options
  }
}

/// The files for reports.
struct ReportFiles: Sendable {
  private static let options: [(option: Option<OutputFile?>, form: ReportForm)] = [
    (ReplayCommand.reportJUnit, .junit), (ReplayCommand.reportTAP, .tap), (ReplayCommand.reportJSON, .json),
    (ReplayCommand.reportHTML, .html), (ReplayCommand.reportMarkdown, .markdown),
  ]

  let files: [(form: ReportForm, file: OutputFile)]

  var isEmpty: Bool { files.isEmpty }

  /// - Parameter words: the reason why standard output is not available; nil if it is.
  init(_ reader: OptionReader, standardOutputIsTaken words: String?) throws(CommandError) {
    var files: [(form: ReportForm, file: OutputFile)] = []
    for (option, form) in Self.options {
      if let file = try reader.output(option, replacing: [], standardOutputIsTaken: words) {
        files.append((form, file))
      }
    }
    self.files = files
  }

  /// Writes every report that can be written, with the permissions that the umask allows, since another user may
  /// collect them.
  ///
  /// - Returns: the errors of the other reports.
  func write(_ report: ReplayReport, _ environment: Environment) -> [CommandError] {
    var failures: [CommandError] = []
    for (form, file) in files {
      do throws(CommandError) {
        if file.isStandardOutput {
          try form.write(report, failure: CommandError.init(records:), to: environment.write)
        } else {
          try environment.files.publishPieces(file.path) { (write) throws(FileError) in
            try form.write(report, failure: { $0 }, to: write)
          }
        }
      } catch {
        failures.append(error)
      }
    }
    return failures
  }
}

extension CommandError {
  /// - Parameter error: the error of storing records of steps in temporary files, or of reading them back.
  init(records error: FileError) {
    self = .cannotWrite(
      file: "\(error.path)/skan-…", reason: "\(error.reason) (what reports tell of the steps is set aside there)")
  }
}
