import SKANDevice
import SKANEndpoint
import SKANJSON
import SKANReplay
import SKANStorage

/// `skan replay`: lives event lists.
enum ReplayCommand {
  static let test = Option("test", "one line a file and a summary; failures on stderr")
  static let jobs = Option("jobs", value: "N", "how many files are lived at a time (default: the cores)")
  static let label = Option(
    "label", value: "GLOB", "show, check and report only steps with such a label (all are lived)")
  static let failFast = Option("fail-fast", "stop at the first expectation that fails")
  static let allowEmpty = Option("allow-empty", "it is no error that no list or no step is found")
  static let variable = Option(
    "variable", value: "NAME=VALUE", "what ${NAME} in the strings of a list stands for (repeatable)",
    isRepeatable: true, hasVariable: false)
  static let variablesFile = Option("variables-file", value: "FILE", "the same from a file, one NAME=VALUE a line")
  static let retry = Option(
    "retry", value: "N", "ask an endpoint again when no answer comes or an expectation fails (default 0)")
  static let retryInterval = Option("retry-interval", value: "DURATION", "the time between (default 1s)")
  static let record = Option(
    "record", value: "FILE", "write the list again with the answers that came, to be lived without an endpoint")
  static let spec = CommandSpec(
    "replay", "live the steps of event lists and check what they expect", arguments: ["FILE"], isLastRepeatable: true,
    options: [
      test, .json, .quiet, .verbose, .strict, failFast, label, jobs, allowEmpty, variable, variablesFile, .endpoint,
      .model, .rates, .maxTime, .sdkKeyFile, retry, retryInterval, record,
      Option(
        "state", value: "FILE", "start from this device file and save it at the end (one list, one phone)",
        hasVariable: false),
      .lockTimeout,
    ],
    examples: [
      "skan replay fixtures/first-month.jsonl", "skan replay --test fixtures/",
      "skan replay --json list.jsonl | jq .outcome", "generate-events | skan replay -",
      "skan replay --endpoint http://localhost:8080 --record offline.jsonl online.jsonl",
    ], sections: sections
  ) { (invocation) throws(CommandError) in
    let paths = invocation.arguments.positional
    if paths.contains("-"), invocation.arguments.value(.sdkKeyFile) == "-" {
      throw invocation.usage("standard input cannot be both the list and the SDK key")
    }
    if paths.count(where: { $0 == "-" }) > 1 { throw invocation.usage("standard input can be one list only") }
    let setup = try StepSetup(invocation)
    let plan = try invocation.replayPlan(setup)
    let sources = try invocation.replaySources()
    if plan.recordPath != nil, sources.count != 1 {
      throw invocation.usage("\(invocation.arguments.name(of: record)) goes with exactly one list")
    }
    let run = ReplayRun(plan, setup, sources)
    // A variable of the environment is for single commands: a replay touches a device file only when told to.
    guard plan.continuesPhone else { return try run.run() }
    guard sources.count == 1 else { throw invocation.usage("--state goes with exactly one list") }
    try run.check()
    do throws(CommandError) {
      try live(run, on: DeviceStore(invocation))
    } catch {
      // The list's own mistakes are told at the end, as those of every list.
      if error != Self.listIsWrong { run.fail(error) }
    }
    return try run.end()
  }

  private static let sections = [
    CommandSpec.Section(
      heading: "FILE is:",
      rows: [
        ("a file or a pipe", "an event list, one step a line; - is standard input"),
        ("a directory", "all lists (*.jsonl) in it and below it, but those whose names begin with . or _"),
        ("a pattern in quotes", "* ? [...] as in a shell"),
      ]),
    CommandSpec.Section(
      heading: "In a list:",
      rows: [
        ("\"${NAME}\"", "a variable: --variable, then --variables-file, then SKAN_VARIABLE_NAME; \"$${\" is \"${\""),
        ("\"skip\":\"WHY\"", "the step is not lived"),
        ("\"op\":\"include\"", "the steps of \"file\", which is looked for beside the list, come in its place"),
      ]),
    CommandSpec.Section(
      heading: "In \"expect\", in the place of a value:",
      rows: [
        ("{\"$exists\":true}", "anything but null; false: null or absent"),
        ("{\"$matches\":\"^Upd\"}", "a text in which the regular expression is found"),
        ("{\"$between\":[0,63]}", "a number from 0 to 63"),
        ("{\"$approx\":5,\"within\":1}", "a number at most 1 away from 5"),
        ("{\"$contains\":\"x\"}", "a text or an array with x in it; {\"a\":1}: an object with this member"),
      ]),
  ]

  private static let listIsWrong = CommandError.lists([], count: 0)

  /// One list on the phone of a device file, saved once at the end.
  private static func live(_ run: ReplayRun, on store: DeviceStore) throws(CommandError) {
    try store.changingExisting { (file) throws(CommandError) in
      var phone = file.phone
      phone.clock.runWithSteps()
      let after = run.live(0, phone: phone) { file.record($0) }
      if let failure = run.failure { throw failure }
      guard try run.problems().count == 0 else { throw listIsWrong }
      if let after { file.phone = after }
    }
  }
}
