import SKANDevice
import SKANBase
import SKANRun

/// What a command line asks of a replay.
struct ReplayPlan: Sendable {
  /// What is printed of each step; of the summary nothing is.
  enum Mode { case steps, json, test, summary, quiet }
  /// How the summary is printed.
  enum SummaryForm { case text, json }

  let mode: Mode
  let isVerbose: Bool
  let isStrict: Bool
  /// Nil where no summary is printed.
  let summary: SummaryForm?
  /// Whether what a summary tells is counted, to be printed or for a report.
  let countsSummary: Bool
  /// Whether the lives of phones are drawn in a report.
  let drawsLives: Bool
  let recordPath: String?
  let lists: ListPlan
  /// Whether what leaves the phones is kept, to be delivered.
  var keepsDepartures = false

  /// Whether nothing of the steps can be seen before the end, so that lists may be checked while they run.
  var isSilent: Bool {
    (mode == .test || mode == .summary || mode == .quiet) && !isVerbose && !lists.isRemote && !lists.stopsAtFailure
  }

  /// Whether the result of a step is used although the step is not selected.
  var needsResults: Bool { recordPath != nil || lists.continuesPhone || lists.isRemote || drawsLives }

  /// Whether findings are printed as failures are; the lines of steps show them by themselves.
  var printsFindings: Bool { isStrict && mode == .test }

  /// Whether steps that expect nothing can be failures that are shown together.
  var groupsFindings: Bool { isStrict && countsSummary }

  /// Whether the names of the phones are needed at the end of a list.
  var keepsNames: Bool { keepsDepartures || countsSummary }

  /// What reading a list needs.
  func readerOptions(of name: String, _ files: FileAccess) -> ListReader.Options {
    var options = lists.readerOptions(of: name, open: files.open, openFile: files.openFile)
    options.otherContent = files.contentOfNoList
    return options
  }
}

extension Invocation {
  func replayPlan(_ setup: StepSetup) throws(CommandError) -> ReplayPlan {
    let forms = preferred([.json, ReplayCommand.test])
    if forms.count > 1 { throw usage("\(forms[0].flag) and \(forms[1].flag) exclude each other") }
    let summary: ReplayPlan.SummaryForm? = self[ReplayCommand.summary] ? (forms == [.json] ? .json : .text) : nil
    let mode: ReplayPlan.Mode =
      self[.quiet]
      ? .quiet
      : forms == [ReplayCommand.test] ? .test : summary != nil ? .summary : forms.isEmpty ? .steps : .json
    let retries = try self[ReplayCommand.retry]
    if retries > 0, !setup.endpoint.isRemote {
      throw usage("\(name(of: ReplayCommand.retry)) goes with an --endpoint that can fail")
    }
    let recordPath = try self[ReplayCommand.record]
    if recordPath != nil, !setup.endpoint.isRemote, setup.model == nil {
      throw usage("\(name(of: ReplayCommand.record)) keeps the answers of an --endpoint or a --model")
    }
    if recordPath == "-", mode != .quiet || summary != nil {
      throw usage(
        "\(name(of: ReplayCommand.record)) - needs --quiet\(summary == nil ? "" : " without \(name(of: ReplayCommand.summary))"): "
          + "the list goes to standard output")
    }
    var lists = ListPlan(includes: try IncludePermission(self))
    lists.jobs = try self[ReplayCommand.jobs] ?? environment.cores()
    lists.label = try self[ReplayCommand.label]
    lists.stopsAtFailure = self[ReplayCommand.failFast]
    lists.retries = retries
    lists.retrySeconds = try self[ReplayCommand.retryInterval]
    lists.variables = try variables()
    lists.continuesPhone = isGiven(.state)
    lists.allowsEmpty = self[ReplayCommand.allowEmpty]
    let annotates = try self[ReplayCommand.annotate] != nil
    let reports = ReportFiles.options.filter { has($0.option) }.map(\.form)
    lists.keepsRecords = !reports.isEmpty || annotates
    lists.isRemote = setup.endpoint.isRemote
    return ReplayPlan(
      mode: mode, isVerbose: self[.verbose], isStrict: self[.strict], summary: summary,
      countsSummary: summary != nil || annotates || reports.contains { $0.showsSummary },
      drawsLives: reports.contains(.html), recordPath: recordPath,
      lists: lists)
  }

  /// What `--variable`, `--variables-file` and the environment set; of a name that several set the first counts.
  func variables() throws(CommandError) -> Variables {
    let prefix = VariableNames.ofLists
    var values: [String: String] = [:]
    for (name, value) in environment.variables(prefix) {
      let name = String(name.dropFirst(prefix.count))
      if Variables.isName(name) { values[name] = value }
    }
    if let path = try self[ReplayCommand.variablesFile] {
      let bytes = try environment.readRequired(path, hint: "it should hold variables, one NAME=VALUE a line")
      try values.merge(ReplayCommand.variables.read(bytes, of: path)) { $1 }
    }
    values.merge(try self[ReplayCommand.variable]) { $1 }
    if let idfv = values[Variables.idfv] { _ = try isRandom(idfv: idfv, of: "the variable \(Variables.idfv)") }
    return Variables(values, randomIDFV: environment.randomIDFV)
  }
}
