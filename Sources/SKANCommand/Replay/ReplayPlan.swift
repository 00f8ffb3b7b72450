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
  let stopsAtFailure: Bool
  /// Only steps with such a label are shown and checked.
  let label: Glob?
  /// How often a step is asked again when no answer came or an expectation failed, and after what time.
  let retries: Int
  let retrySeconds: Double
  let variables: Variables
  let jobs: Int
  let recordPath: String?
  /// Whether reports are asked for, which tell of every step.
  let keepsRecords: Bool
  let isRemote: Bool
  /// Whether the list goes on with the phone of a device file.
  let continuesPhone: Bool

  /// Whether it is fine that nothing is selected.
  let allowsEmpty: Bool
  let includes: IncludePermission

  /// What reading a list needs.
  func readerOptions(_ environment: Environment) -> ListReader.Options {
    var options = ListReader.Options()
    options.variables = variables
    options.allowsDevices = !continuesPhone
    options.requiresSteps = !allowsEmpty
    options.open = { path throws(SourceFailure) in try environment.files.open(path) }
    options.openIncluded = { path throws(SourceFailure) in try environment.files.openFile(path) }
    options.mayInclude = { [includes] in includes.allows($0, for: $1) }
    return options
  }

  /// Whether nothing of the steps can be seen before the end, so that lists may be checked while they run.
  var isSilent: Bool { (mode == .test || mode == .quiet) && !isVerbose && !isRemote && !stopsAtFailure }

  /// Whether the result of a step is used although the step is not selected.
  var needsResults: Bool { recordPath != nil || continuesPhone || isRemote }

  /// Whether findings are told as failures are; the lines of steps show them by themselves.
  var tellsFindings: Bool { isStrict && mode == .test }

  /// Whether a step is shown, checked and reported.
  // Inlined, as a call would be given a copy of the whole plan.
  @inline(__always)
  func selects(_ step: Step) -> Bool {
    guard let label else { return true }
    return step.label.map(label.matches) ?? false
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
    return ReplayPlan(
      mode: mode, isVerbose: self[.verbose], isStrict: self[.strict],
      stopsAtFailure: self[ReplayCommand.failFast],
      label: try self[ReplayCommand.label], retries: retries,
      retrySeconds: try self[ReplayCommand.retryInterval],
      variables: try variables(), jobs: try self[ReplayCommand.jobs] ?? environment.cores(),
      recordPath: recordPath, keepsRecords: ReportFiles.options.contains { has($0.option) },
      isRemote: setup.endpoint.isRemote, continuesPhone: isGiven(.state),
      allowsEmpty: self[ReplayCommand.allowEmpty], includes: try IncludePermission(self))
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
