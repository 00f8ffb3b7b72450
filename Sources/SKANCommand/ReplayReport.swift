import SKANDevice
import SKANEndpoint
import SKANJSON
import SKANReplay

/// Lives lists for `skan replay`: what is printed of each step, and the counts at the end.
struct ReplayReport {
  let runner: StepRunner
  private let execution: StepExecution
  private let invocation: Invocation
  private let numberWidth: Int
  private let isJSON: Bool
  private var lists = 0
  private var steps = 0
  private var expectations = 0
  private var failures = 0
  private var findings = 0

  init(_ invocation: Invocation, numberWidth: Int) throws(CommandError) {
    self.invocation = invocation
    self.numberWidth = numberWidth
    execution = try StepExecution(invocation)
    runner = execution.runner(now: { .listStart })
    isJSON = invocation.arguments.has(.json)
  }

  /// Takes the SDK key out of what is about to be saved.
  func redact(_ device: inout Device) { execution.redact(&device) }

  /// Lives one list to its end.
  ///
  /// - Parameter observe: sees every result.
  mutating func live(
    _ source: ListSource, with lists: inout ListRunner,
    observe: (StepResult) -> Void = { _ in }
  ) throws(CommandError) {
    self.lists += 1
    switch source.content {
    case .bytes(let bytes):
      var reader = EventListReader(declaresDevices: EventListReader.declaresDevices(bytes))
      for (number, line) in EventListReader.lines(of: bytes) {
        try live(line, number, of: source, &reader, &lists, observe)
      }
    case .stream(let stream):
      var reader = EventListReader(allowsDevices: !invocation.arguments.isGiven(.state))
      var number = 0
      while let line = try stream.next() {
        number += 1
        try live(line[...], number, of: source, &reader, &lists, observe)
      }
    }
  }

  private mutating func live(
    _ line: ArraySlice<UInt8>, _ number: Int, of source: ListSource, _ reader: inout EventListReader,
    _ lists: inout ListRunner, _ observe: (StepResult) -> Void
  ) throws(CommandError) {
    func place(_ problem: SourceProblem) -> CommandError.SourceNote {
      EventListReader.LineProblem(line: number, problem: problem, text: Array(line)).note
    }
    let step: Step?
    do throws(SourceProblems) {
      step = try reader.step(from: line)
    } catch {
      throw .content(file: source.name, error.problems.map(place))
    }
    guard let step else { return }
    switch try execution.run({ () throws(StepError) in try lists.run(step) }) {
    case .success(let result):
      observe(result)
      try show(result, line: number, of: source.name)
    case .failure(let error):
      throw .content(file: source.name, [place(SourceProblem(error.words, at: 0..<line.count))])
    }
  }

  private mutating func show(_ result: StepResult, line: Int, of file: String) throws(CommandError) {
    steps += 1
    if result.report.hasFinding { findings += 1 }
    execution.showTrace(result)
    let json = isJSON || !result.step.expectations.isEmpty ? result.json : .null
    let verdicts = result.step.expectations.map { $0.verdict(on: json) }
    let failed = verdicts.filter { !$0.isMet }
    expectations += verdicts.count
    failures += failed.count
    if isJSON {
      let place: [(key: String, value: JSON)] = [("file", .string(file)), ("line", .integer(Int64(line)))]
      try execution.output.result(JSONWriter.text(result.json(verdicts: verdicts, more: place)))
    } else {
      let showsNotes = invocation.arguments.has(.verbose)
      for text in StepText.lines(result, line: line, numberWidth: numberWidth, showsNotes: showsNotes) {
        try execution.output.result(text)
      }
    }
    for verdict in failed {
      for text in StepText.failure(verdict, of: result, at: "\(file):\(line)") { execution.output.error(text) }
    }
  }

  /// The closing line, and the exit code: outcomes never set it.
  func end() throws(CommandError) -> ExitCode {
    if !isJSON {
      let counts = [
        lists == 1 ? nil : counted(lists, "list"), counted(steps, "step"), counted(expectations, "expectation"),
        "\(failures) failed",
      ].compactMap(\.self).joined(separator: ", ")
      let findingWords = findings == 0 ? "" : "; \(counted(findings, "step")) with findings"
      try execution.output.result(counts + findingWords)
    }
    return failures > 0 || invocation.arguments.has(.strict) && findings > 0 ? .expectationFailed : .ok
  }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
