import SKANDevice
import SKANEndpoint
import SKANJSON
import SKANReplay
import SKANStorage

/// `skan replay`: lives event lists.
enum ReplayCommand {
  static let spec = CommandSpec(
    "replay", "live the steps of event lists and check what they expect", arguments: ["FILE"], isLastRepeatable: true,
    options: [
      Option(
        "state", value: "FILE", "start from this device file and save it at the end (one list, one phone)",
        hasVariable: false),
      .endpoint, .model, .rates, .maxTime, .sdkKeyFile, .json, .verbose, .quiet, .strict, .lockTimeout,
    ],
    examples: [
      "skan replay fixtures/first-month.jsonl", "skan replay --json list.jsonl | jq .outcome",
      "generate-events | skan replay -",
    ]
  ) { (invocation) throws(CommandError) in
    let paths = invocation.arguments.positional
    if paths.contains("-"), invocation.arguments.value(.sdkKeyFile) == "-" {
      throw invocation.usage("standard input cannot be both the list and the SDK key")
    }
    let sources = try open(paths, invocation)
    // A variable of the environment is for single commands: a replay touches a device file only when told to.
    guard invocation.arguments.isGiven(.state) else {
      var report = try ReplayReport(invocation, numberWidth: sources.numberWidth)
      for source in sources {
        var runner = ListRunner(report.runner)
        try report.live(source, with: &runner)
      }
      return try report.end()
    }
    return try replay(sources, on: DeviceStore(invocation), invocation)
  }

  /// One list on the phone of a device file, saved once at the end.
  private static func replay(
    _ sources: [ListSource], on store: DeviceStore, _ invocation: Invocation
  ) throws(CommandError) -> ExitCode {
    guard sources.count == 1, let source = sources.first else {
      throw invocation.usage("--state goes with exactly one list")
    }
    var report = try ReplayReport(invocation, numberWidth: sources.numberWidth)
    try store.changingExisting { (file) throws(CommandError) in
      var phone = file.phone
      phone.clock.runWithSteps()
      var runner = ListRunner(report.runner, everyPhone: phone)
      try report.live(source, with: &runner) { file.record($0) }
      if let phone = runner.onlyPhone { file.phone = phone }
      report.redact(&file.device)
    }
    return try report.end()
  }

  /// Regular files are read and checked whole, all of them before the first step.
  private static func open(_ paths: [String], _ invocation: Invocation) throws(CommandError) -> [ListSource] {
    let files = invocation.environment.files
    var sources: [ListSource] = []
    var problems: [CommandError] = []
    for path in paths {
      if let stream = try files.openStream(path) {
        sources.append(ListSource(name: path, content: .stream(stream)))
        continue
      }
      let bytes: [UInt8]
      do throws(CommandError) {
        bytes =
          path == "-"
          ? try files.readInput()
          : try invocation.environment.readRequired(path, hint: "name an event list, or - for standard input")
      } catch {
        // Told with the problems of the other lists.
        problems.append(error)
        continue
      }
      let allowsDevices = !invocation.arguments.isGiven(.state)
      let notes = EventListReader.check(bytes, allowsDevices: allowsDevices).map(\.note)
      if !notes.isEmpty { problems.append(.content(file: path, notes)) }
      sources.append(ListSource(name: path, content: .bytes(bytes)))
    }
    guard let first = problems.first else { return sources }
    for problem in problems.dropLast() { problem.message.map { invocation.environment.writeError($0 + "\n") } }
    throw problems.last ?? first
  }
}

/// An event list and where its lines come from.
struct ListSource {
  var name: String
  var content: Content

  enum Content {
    /// Checked whole already.
    case bytes([UInt8])
    case stream(LineStream)
  }
}

extension [ListSource] {
  /// Digits of the largest line number that is known beforehand.
  var numberWidth: Int {
    let lines = map { source in
      if case .bytes(let bytes) = source.content { bytes.count { $0 == 0x0A } + 1 } else { 999 }
    }
    return String(lines.max() ?? 0).count
  }
}

extension EventListReader.LineProblem {
  /// The problem with its place in the whole list.
  var note: CommandError.SourceNote {
    var place = SourcePlace(of: problem.range, in: text)
    place.line = line
    return CommandError.SourceNote(place: place, message: problem.message)
  }
}
