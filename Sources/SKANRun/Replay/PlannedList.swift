import SKANDevice
import SKANBase

/// One list of a run: reads it, runs its steps, and keeps what the run is to know at its end.
package final class PlannedList {
  private let plan: ListPlan
  private let name: String
  private let runner: ListRunner
  private let partition: PhonePartition?
  private let recorder: ListRecorder?
  /// Counts what a summary tells; nil where none is asked for.
  private let counter: SummaryObserver?
  /// Whether the list ran to its end.
  private var hasEnded = false
  /// What is wrong with the list, found while it ran.
  private var problems: [ListProblem] = []
  /// Whether only reading the list as a whole finds everything that is wrong with it.
  private var needsCheck = false
  /// Whether a step was for a phone that no step had declared.
  package private(set) var hasUndeclaredSteps = false
  /// Bytes of the list that were read.
  package private(set) var consumed = 0

  /// - Parameters:
  ///   - name: of the list, as it was given.
  ///   - runner: runs its steps.
  ///   - partition: the phones that are run; nil for all.
  ///   - isRecorded: whether it is written again, with the answers of an endpoint.
  ///   - counter: counts what a summary tells; the runner keeps the names of the phones then.
  package init(
    _ plan: ListPlan, _ name: String, on runner: ListRunner, partition: PhonePartition? = nil,
    isRecorded: Bool = false, counter: SummaryObserver? = nil
  ) {
    self.plan = plan
    self.name = name
    self.runner = runner
    self.partition = partition
    recorder = isRecorded ? ListRecorder() : nil
    self.counter = counter
  }

  /// Reads the list and runs its steps.
  ///
  /// - Parameters:
  ///   - source: the list from its beginning.
  ///   - reading: as ``ListPlan/readerOptions(open:openFile:)`` gives it.
  ///   - running: as ``ListPlan/runOptions(isInterrupted:isNeedless:sleep:)`` gives it.
  ///   - observer: sees each event first, but for the recording.
  ///   - others: see it next.
  ///   - attempt: runs a step.
  package func run(
    _ source: ByteSource, _ reading: ListReader.Options, _ running: ListRun.Options, observer: any StepObserver,
    others: [any StepObserver] = [], attempt: @escaping (Step) -> ListRun.Attempt
  ) -> ListRun.End {
    var reading = reading
    if let recorder { unsafe reading.seesOtherLine = { unsafe recorder.append($0) } }
    if let partition {
      reading.partition = partition
      // Its phones may have none.
      reading.requiresSteps = false
    }
    let reader = ListReader(name, source, reading)
    // Those that stop a list come last.
    var all: [any StepObserver] = []
    if let counter { all.append(counter) }
    if let recorder { all.append(recorder) }
    all.append(observer)
    all += others
    let list = ListRun(
      reader, on: runner, running, observer: all[0], others: Array(all.dropFirst()), attempt: attempt)
    let end = list.run()
    if case .wrong(let found) = end { problems = found }
    if case .finished = end { hasEnded = true }
    hasUndeclaredSteps = reader.hasUndeclaredSteps
    needsCheck = source.isRegular && (!problems.isEmpty || reader.declaresTooLate)
    consumed = reader.consumed
    return end
  }

  /// The step whose answer makes its line longer than a line of a list may be: the list cannot be recorded.
  package var tooLong: (file: String, line: Int)? { recorder?.tooLong }

  /// What the list left.
  ///
  /// - Parameter wasStopped: whether a failed expectation ended it.
  package func outcome(_ counts: ReplayCounts, wasStopped: Bool) -> ListOutcome {
    var outcome = ListOutcome(
      counts: counts, problems: problems, needsCheck: needsCheck,
      recording: problems.isEmpty && !wasStopped ? recorder?.bytes : nil, wasStopped: wasStopped)
    if var summary = counter?.summary {
      if hasEnded { summary.count(phonesOf: runner) } else { summary.countUnfinished() }
      outcome.summary = summary
    }
    return outcome
  }

  /// What leaves its phones, where the runner has kept their names.
  package var departures: [Departure] {
    runner.names.enumerated().compactMap { Departure(runner.phone(at: $0), named: $1, of: name) }
  }
}
