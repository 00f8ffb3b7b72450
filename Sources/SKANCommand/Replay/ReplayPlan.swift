import SKANDevice
import SKANJSON
import SKANRun

/// What a command line asks of a replay.
struct ReplayPlan: Sendable {
  /// What is printed of each step.
  enum Mode { case steps, json, test, quiet }

  let mode: Mode
  let isVerbose: Bool
  let isStrict: Bool
  let recordPath: String?
  let lists: ListPlan
  /// Whether what leaves the phones is kept, to be delivered.
  var keepsDepartures = false

  /// Whether nothing of the steps can be seen before the end, so that lists may be checked while they run.
  var isSilent: Bool {
    (mode == .test || mode == .quiet) && !isVerbose && !lists.isRemote && !lists.stopsAtFailure
  }

  /// Whether the result of a step is used although the step is not selected.
  var needsResults: Bool { recordPath != nil || lists.continuesPhone || lists.isRemote }

  /// Whether findings are printed as failures are; the lines of steps show them by themselves.
  var printsFindings: Bool { isStrict && mode == .test }

  /// What reading a list needs.
  func readerOptions(_ files: FileAccess) -> ListReader.Options {
    lists.readerOptions(open: files.open, openFile: files.openFile)
  }
}

extension Invocation {
  func replayPlan(_ setup: StepSetup) throws(CommandError) -> ReplayPlan {
    let forms = preferred([.json, ReplayCommand.test])
    if forms.count > 1 { throw usage("\(forms[0].flag) and \(forms[1].flag) exclude each other") }
    let mode: ReplayPlan.Mode =
      self[.quiet] ? .quiet : forms.isEmpty ? .steps : forms[0] == .json ? .json : .test
    let retries = try self[ReplayCommand.retry]
    if retries > 0, !setup.endpoint.isRemote {
      throw usage("\(name(of: ReplayCommand.retry)) goes with an --endpoint that can fail")
    }
    let recordPath = try self[ReplayCommand.record]
    if recordPath != nil, !setup.endpoint.isRemote, setup.model == nil {
      throw usage("\(name(of: ReplayCommand.record)) keeps the answers of an --endpoint or a --model")
    }
    if recordPath == "-", mode != .quiet {
      throw usage("\(name(of: ReplayCommand.record)) - needs --quiet: the list goes to standard output")
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
    lists.keepsRecords = ReportFiles.options.contains { has($0.option) }
    lists.isRemote = setup.endpoint.isRemote
    return ReplayPlan(
      mode: mode, isVerbose: self[.verbose], isStrict: self[.strict], recordPath: recordPath, lists: lists)
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
    return Variables(values)
  }
}
