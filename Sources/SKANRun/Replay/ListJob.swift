import SKANBase
import SKANDevice
import SKANSystem

/// Runs one list of a run, and keeps its results for the end of the run.
package final class ListJob {
  private let settings: RunSettings
  private let name: String
  private let phones: ListPhones
  private let partition: PhonePartition?
  private let recorder: ListRecorder?
  /// Counts for the summary; nil where there is none.
  private let counter: SummaryObserver?
  /// Whether the list ran to its end.
  private var hasEnded = false
  /// The problems found while the list ran.
  private var problems: [ListProblem] = []
  /// Whether only a check of the whole list finds all its problems.
  private var needsCheck = false
  /// Whether a step was for a phone that no step had declared.
  package private(set) var hasUndeclaredSteps = false
  /// Bytes of the list that were read.
  package private(set) var consumed = 0

  /// - Parameters:
  ///   - name: the list's name, as given.
  ///   - phones: run the steps.
  ///   - partition: the phones to run; nil for all.
  ///   - isRecorded: whether to record the list with the answers of an endpoint.
  ///   - counter: counts for the summary; the phones must keep their names.
  package init(
    _ settings: RunSettings, _ name: String, on phones: ListPhones, partition: PhonePartition? = nil,
    isRecorded: Bool = false, counter: SummaryObserver? = nil
  ) {
    self.settings = settings
    self.name = name
    self.phones = phones
    self.partition = partition
    recorder = isRecorded ? ListRecorder() : nil
    self.counter = counter
  }

  /// Reads the list and runs its steps.
  ///
  /// - Parameters:
  ///   - source: the list from its beginning.
  ///   - reading: from ``RunSettings/readerOptions(of:open:openFile:)``.
  ///   - running: from ``RunSettings/runOptions(isInterrupted:isObsolete:sleep:)``.
  ///   - observer: sees each event after the summary and the recording.
  ///   - others: see each event afterwards.
  ///   - settle: see ``ListRun``.
  ///   - attempt: runs a step.
  package func run(
    _ source: ByteSource, _ reading: ListReader.Options, _ running: ListRun.Options, observer: any StepObserver,
    others: [any StepObserver] = [], settle: @escaping (StepResult) -> Bool = { _ in true },
    attempt: @escaping (Step) -> ListRun.Attempt
  ) -> ListRun.End {
    var reading = reading
    // Set below, since the reader needs the options first.
    var list: ListRun?
    if let recorder {
      unsafe reading.seesOtherLine = { line in
        let line = unsafe Array(line)
        list?.seesOtherLine { unsafe line.withUnsafeBufferPointer { unsafe recorder.append($0) } }
      }
    }
    if let partition {
      reading.partition = partition
      // The partition's phones may have no steps.
      reading.requiresSteps = false
    }
    let reader = ListReader(name, source, reading)
    // Observers that may stop a list come last.
    var all: [any StepObserver] = []
    if let counter { all.append(counter) }
    if let recorder { all.append(recorder) }
    all.append(observer)
    all += others
    let run = ListRun(
      reader, on: phones, running, observer: all[0], others: Array(all.dropFirst()), settle: settle, attempt: attempt)
    list = run
    let end = run.run()
    if case .wrong(let found) = end { problems = found }
    if case .finished = end { hasEnded = true }
    hasUndeclaredSteps = reader.hasUndeclaredSteps
    needsCheck = source.isRegular && (!problems.isEmpty || reader.declaresTooLate)
    consumed = reader.consumed
    return end
  }

  /// The step whose line would be too long with its answer, so that the list cannot be recorded.
  package var tooLong: (file: String, line: Int)? { recorder?.tooLong }

  /// The outcome of the list.
  ///
  /// - Parameter wasStopped: whether a failed expectation ended it.
  package func outcome(_ counts: ReplayCounts, wasStopped: Bool) -> ListOutcome {
    var outcome = ListOutcome(
      counts: counts, problems: problems, needsCheck: needsCheck,
      recording: problems.isEmpty && !wasStopped ? recorder?.bytes : nil, wasStopped: wasStopped)
    if var summary = counter?.summary {
      if hasEnded { summary.count(phonesOf: phones) } else { summary.countUnfinished() }
      outcome.summary = summary
    }
    return outcome
  }

  /// The postbacks that leave the list's phones, if their names were kept.
  package var departures: [Departure] {
    phones.names.enumerated().compactMap { Departure(phones.phone(at: $0), named: $1, of: name) }
  }
}

/// How the lists of a run are read and run, apart from output.
package struct RunSettings: Sendable {
  /// How many lists run at a time.
  package var jobs = 1
  /// Only steps with a matching label are shown, checked and reported; nil for all steps.
  package var label: Glob?
  /// Whether the first failed expectation ends the run.
  package var stopsAtFailure = false
  /// How often a step is retried when no answer came or an expectation failed, and the seconds before each retry.
  package var retries = 0
  package var retrySeconds = 1.0
  package var variables = Variables()
  package var includes: IncludePermission
  /// Whether the list continues the phone of a device file, and so declares none.
  package var continuesPhone = false
  /// Whether a list without a step is allowed.
  package var allowsEmpty = false
  /// Whether a record of each step is kept for reports.
  package var keepsRecords = false
  /// Whether a remote endpoint answers, in real time.
  package var isRemote = false
  /// Whether a step with findings fails.
  package var isStrict = false
  /// Removes the SDK key from records and summaries.
  package var redactor = Redactor(key: nil)

  package init(includes: IncludePermission) { self.includes = includes }

  /// The options for reading a list.
  ///
  /// - Parameters:
  ///   - name: the list's name.
  ///   - open: opens a list, waiting for the writer of a pipe.
  ///   - openFile: opens a list without waiting.
  package func readerOptions(
    of name: String, open: @escaping @Sendable (String) throws(SourceFailure) -> ByteSource,
    openFile: @escaping @Sendable (String) throws(SourceFailure) -> ByteSource
  ) -> ListReader.Options {
    var options = ListReader.Options()
    options.variables = variables.ofList(name)
    options.allowsDevices = !continuesPhone
    options.requiresSteps = !allowsEmpty
    options.adviceWithoutSteps = "; --allow-empty lets that pass"
    options.open = open
    options.openIncluded = openFile
    options.mayInclude = { [includes] in includes.allows($0, for: $1) }
    return options
  }

  /// The options for running a list.
  ///
  /// - Parameters:
  ///   - isObsolete: whether an earlier list has ended the run.
  ///   - sleep: waits this many seconds.
  package func runOptions(
    isInterrupted: @escaping @Sendable () -> Bool, isObsolete: @escaping () -> Bool,
    sleep: @escaping (Double) -> Void
  ) -> ListRun.Options {
    var options = ListRun.Options()
    if label != nil { options.selects = { [self] in selects($0) } }
    options.isInterrupted = isInterrupted
    options.isObsolete = stopsAtFailure ? isObsolete : nil
    options.retries = retries
    options.wait = { [retrySeconds] in sleep(retrySeconds) }
    return options
  }

  /// Whether a step is shown, checked and reported.
  // Inlined, because a call would copy the whole settings.
  @inline(__always)
  package func selects(_ step: Step) -> Bool {
    guard let label else { return true }
    return step.label.map(label.matches) ?? false
  }
}

/// The outcome of a list.
package struct ListOutcome: Sendable {
  package var counts: ReplayCounts
  package var problems: [ListProblem]
  /// Whether only a check of the whole list finds all its problems.
  package var needsCheck: Bool
  /// The list with the received answers; nil when it is not recorded or did not run to its end.
  package var recording: [UInt8]?
  /// Whether a failed expectation ended it.
  package var wasStopped: Bool
  /// The summary of its steps; nil where there is none.
  package var summary: ListSummary?

  package init(
    counts: ReplayCounts, problems: [ListProblem] = [], needsCheck: Bool = false, recording: [UInt8]? = nil,
    wasStopped: Bool = false
  ) {
    self.counts = counts
    self.problems = problems
    self.needsCheck = needsCheck
    self.recording = recording
    self.wasStopped = wasStopped
  }

  /// Whether the list has mistakes.
  package var hasProblems: Bool { needsCheck || !problems.isEmpty }
}

/// The postbacks of one phone of a list that leave it without any further step.
package struct Departure: Sendable {
  /// The list's name, as given.
  package let list: String
  /// The phone's name in the list.
  package let device: String
  package let postbacks: [Postback]

  /// The postbacks that leave a phone within a year of its last step, when all windows and delays have ended.
  ///
  /// - Returns: nil when there are none.
  package init?(_ phone: Phone, named device: String, of list: String) {
    guard let later = phone.clock.end?.advanced(by: TimeSpan(seconds: 366 * 86_400)) else { return nil }
    postbacks = phone.device.postbacks(phone: device, at: later).filter { $0.state == .sent }
    if postbacks.isEmpty { return nil }
    self.list = list
    self.device = device
  }
}

/// Records a list as it runs. It copies each line, and adds the endpoint's answer to the steps that asked one, so that
/// the recording needs no endpoint. Members of a line stay as written, including variables. The caller has removed the
/// SDK key from the answers.
package final class ListRecorder: StepObserver {
  package private(set) var bytes: [UInt8] = []
  /// The step whose line would be too long with its answer, so that the list cannot be recorded.
  package private(set) var tooLong: (file: String, line: Int)?

  package init() {}

  /// Adds a line unchanged: one that is not a step, or a step without an endpoint's answer.
  package func append(_ line: UnsafeBufferPointer<UInt8>) {
    unsafe bytes += line
    bytes.append(0x0A)
  }

  package func wantsResult(of step: Step) -> Bool { true }

  package func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    switch event {
    case .ran(let result, _, _):
      if unsafe reader.withCurrentLine({ unsafe append($0, result) }) { return true }
      tooLong = reader.location
      return false
    case .skipped: unsafe reader.withCurrentLine { unsafe append($0) }
    case .completed, .retried: break
    }
    return true
  }

  /// Adds the line of a step. Members that only the recorded step has follow the last one; the settings of a report are
  /// replaced to include its answer.
  ///
  /// - Returns: false when the line became too long for a list.
  private func append(_ line: UnsafeBufferPointer<UInt8>, _ result: StepResult) -> Bool {
    var line = unsafe Array(line)
    let before = StepWriter(result.step).members
    for (key, value) in StepWriter(result.recordedStep).members {
      let text = StepWriter.text(of: [(key, value)])
      if let old = before.first(where: { $0.key == key }) {
        guard old.value != value, let range = range(of: key, in: line) else { continue }
        line.replaceSubrange(range, with: text.utf8.dropFirst(key.utf8.count + 3))
      } else if let end = line.lastIndex(of: UInt8(ascii: "}")) {
        line.insert(contentsOf: ",\(text)".utf8, at: end)
      }
    }
    bytes += line
    bytes.append(0x0A)
    return line.count <= LineReader.longest
  }

  /// The range of a member's value.
  private func range(of key: String, in line: [UInt8]) -> Range<Int>? {
    (try? JSONReader.read(line))?.member(key)?.range
  }
}

extension StepResult {
  /// The step with all answers that it did not contain.
  fileprivate var recordedStep: Step {
    var recorded = step
    if !step.hasAnswer, let answer = exchange?.answer { recorded = recorded.answered(answer) }
    if step.operation.forward?.answer == nil, let answer = forwarded?.answer {
      recorded = recorded.reportAnswered(answer)
    }
    return recorded
  }
}
