import SKANDevice

/// Runs the steps of one list to its end, and passes each to the observers.
package final class ListRun {
  /// Why a list is over.
  package enum End {
    case finished
    /// An observer stopped it, or the caller does not need the rest.
    case stopped
    case interrupted
    /// The list has mistakes; these are the first that were found.
    case wrong([ListProblem])
    case unreadable(SourceFailure)
  }

  package struct Options {
    /// Whether a step is shown, checked and reported; other steps run too. Nil for all steps.
    package var selects: ((Step) -> Bool)?
    /// Asked after each step.
    package var isInterrupted: @Sendable () -> Bool = { false }
    /// Whether the caller does not need the rest of the list; asked after each step.
    package var isObsolete: (() -> Bool)?
    /// How often a step is retried when no answer came or an expectation failed.
    package var retries = 0
    /// Waits before a retry.
    package var wait: () -> Void = {}

    package init() {}
  }

  /// The result of running a step once.
  package enum Attempt {
    case ran(StepResult)
    case failed(StepError)
    case interrupted
  }

  private let reader: ListReader
  private let phones: ListPhones
  private let options: Options
  /// Stored apart from the others: there is mostly one, and an array would be retained for each of a million steps.
  private let observer: any StepObserver
  private let otherObservers: [any StepObserver]
  private let attempt: (Step) -> Attempt
  private let settle: (StepResult) -> Bool
  /// The events and lines from the first step that has not ended, by consecutive numbers: they are shown in the order of
  /// the list.
  private var held: [Int: HeldStep] = [:]
  private var firstHeld = 0, nextHeld = 0

  /// A step whose event is not shown yet.
  private struct HeldStep {
    enum State {
      /// The step has not ended.
      case underWay(isSelected: Bool)
      case event(StepEvent)
      /// A line that is not a step.
      case line(() -> Void)
    }

    var state: State
    let step: Step
    let place: ListReader.Place
  }

  /// - Parameters:
  ///   - observer: sees each event first.
  ///   - others: see each event next, unless an observer before them stops the list.
  ///   - settle: changes the result of a step of a phone whose updates overlap, before it is shown; false when an
  ///     interrupt has ended the run.
  ///   - attempt: runs any other step with `phones`, in the caller's context.
  package init(
    _ reader: ListReader, on phones: ListPhones, _ options: Options = Options(), observer: any StepObserver,
    others: [any StepObserver] = [], settle: @escaping (StepResult) -> Bool = { _ in true },
    attempt: @escaping (Step) -> Attempt
  ) {
    self.reader = reader
    self.phones = phones
    self.options = options
    self.observer = observer
    otherObservers = others
    self.attempt = attempt
    self.settle = settle
    if options.retries > 0 {
      phones.retry = { [weak self] in self?.retry($0, $1, attempt: $2, ticket: $3) ?? false }
    }
  }

  /// Runs the list.
  package func run() -> End {
    var step = Step(.details)
    while true {
      do throws(SourceFailure) {
        switch try reader.next(into: &step) {
        case nil: return endAll() ?? .finished
        case .problems(let found)?: return endAll() ?? .wrong(found)
        case .step?: break
        }
      } catch {
        return .unreadable(error)
      }
      if let ahead = reader.phonesAhead { phones.touch(ahead) }
      if let end = run(step) { return end }
      if options.isInterrupted() { return .interrupted }
      if options.isObsolete != nil, options.isObsolete?() ?? false { return .stopped }
    }
  }

  /// Runs a step; nil when the list continues.
  private func run(_ step: Step) -> End? {
    let isSelected = options.selects == nil || options.selects?(step) ?? true
    if let reason = step.skip {
      phones.skip(step)
      return show(.skipped(reason: reason, isSelected: isSelected), of: step)
    }
    if phones.overlaps(step) { return begin(step, isSelected: isSelected) }
    guard isResultWanted(of: step) else {
      do throws(StepError) {
        var report = StepReport()
        let at = try phones.complete(step, &report)
        return show(.completed(report, at: at, isSelected: isSelected), of: step)
      } catch {
        return .wrong([reader.problem(error.message)])
      }
    }
    observer.stepBegins(step)
    for observer in otherObservers { observer.stepBegins(step) }
    var retries = 0
    while true {
      let before = retries < options.retries ? phones[step] : nil
      let result: StepResult
      switch attempt(step) {
      case .ran(let ran): result = ran
      case .failed(let error): return .wrong([reader.problem(error.message)])
      case .interrupted: return .interrupted
      }
      guard let verdicts = isSelected ? result.verdicts(options.isInterrupted) : [] else { return .interrupted }
      guard let before, let reason = result.reasonToRetry(verdicts) else {
        return show(.ran(result, verdicts: verdicts, isSelected: isSelected), of: step)
      }
      phones[step] = before
      retries += 1
      if let end = show(.retried(result, reason: reason, attempt: retries), of: step) { return end }
      options.wait()
      if options.isInterrupted() { return .interrupted }
    }
  }

  @inline(__always)
  private func isResultWanted(of step: Step) -> Bool {
    observer.wantsResult(of: step)
      || !otherObservers.isEmpty && otherObservers.contains { $0.wantsResult(of: step) }
  }

  @inline(__always)
  private func show(_ event: StepEvent, of step: Step) -> End? {
    if firstHeld == nextHeld { return pass(event, of: step) }
    hold(.event(event), step)
    return nil
  }

  /// Passes an event to the observers.
  @inline(__always)
  private func pass(_ event: StepEvent, of step: Step) -> End? {
    let goesOn =
      observer.observe(event, of: step, in: reader)
      && (otherObservers.isEmpty || otherObservers.allSatisfy { $0.observe(event, of: step, in: reader) })
    return goesOn ? nil : .stopped
  }
}

// MARK: Phones whose updates overlap

extension ListRun {
  /// Begins a step that may end after later ones.
  private func begin(_ step: Step, isSelected: Bool) -> End? {
    observer.stepBegins(step)
    for observer in otherObservers { observer.stepBegins(step) }
    let ticket = hold(.underWay(isSelected: isSelected), step)
    do throws(StepError) { return showEnded(try phones.begin(step, ticket: ticket)) } catch {
      return .wrong([reader.problem(error.message)])
    }
  }

  /// Whether to send the request of a step again.
  private func retry(_ result: StepResult, _ reason: String, attempt: Int, ticket: Int) -> Bool {
    guard attempt <= options.retries, settle(result), let place = held[ticket]?.place else { return false }
    reader.showsPlace(place)
    defer { reader.showsPlace(nil) }
    let event = StepEvent.retried(result, reason: Self.noAnswer(reason), attempt: attempt)
    guard pass(event, of: result.step) == nil else { return false }
    options.wait()
    return !options.isInterrupted()
  }

  fileprivate static func noAnswer(_ reason: String) -> String { "no answer (\(reason))" }

  /// Lets every step come to its end.
  private func endAll() -> End? { firstHeld == nextHeld ? nil : showEnded(phones.endAll()) }

  /// - Returns: the number of the step among those that are held.
  @discardableResult
  private func hold(_ state: HeldStep.State, _ step: Step) -> Int {
    held[nextHeld] = HeldStep(state: state, step: step, place: reader.place)
    nextHeld += 1
    return nextHeld - 1
  }

  /// Takes the results of steps that have ended, and shows the events up to the first step that has not.
  private func showEnded(_ ended: [UpdatesUnderWay.Ended]) -> End? {
    for (ticket, result) in ended {
      guard settle(result) else { return .interrupted }
      guard case .underWay(let isSelected)? = held[ticket]?.state else { continue }
      guard let verdicts = isSelected ? result.verdicts(options.isInterrupted) : [] else { return .interrupted }
      held[ticket]?.state = .event(.ran(result, verdicts: verdicts, isSelected: isSelected))
    }
    defer { reader.showsPlace(nil) }
    while let entry = held[firstHeld] {
      switch entry.state {
      case .underWay: return nil
      case .line(let see): see()
      case .event(let event):
        reader.showsPlace(entry.place)
        if let end = pass(event, of: entry.step) { return end }
      }
      held[firstHeld] = nil
      firstHeld += 1
    }
    return nil
  }

  /// Calls `see` for a line that is not a step, when all events before it have been shown.
  package func seesOtherLine(_ see: @escaping () -> Void) {
    if firstHeld == nextHeld { return see() }
    hold(.line(see), Step(.details))
  }
}

extension StepResult {
  /// The verdicts on the step's expectations; nil when an interruption left one undecided.
  fileprivate func verdicts(_ isInterrupted: @escaping @Sendable () -> Bool) -> [Expectation.Verdict]? {
    !step.hasExpectations
      ? [] : step.expectations.verdicts(on: ShownResult(self), isInterrupted: isInterrupted)
  }

  /// Why to ask an endpoint again; nil when its answer is as expected, or no endpoint was asked.
  fileprivate func reasonToRetry(_ verdicts: [Expectation.Verdict]) -> String? {
    guard let exchange, !step.hasAnswer else { return nil }
    if case .failure(let reason) = exchange.answer { return ListRun.noAnswer(reason) }
    return verdicts.first { !$0.isMet }.map { "\($0.path) is not as expected" }
  }
}

/// Runs the steps of a list, each on its own phone.
package final class ListPhones {
  private let phones = PhoneTable()
  private let runner: StepRunner
  /// The updates under way on each phone whose updates overlap.
  private var underWay: [Int: UpdatesUnderWay] = [:]
  /// Whether their requests are sent again.
  var retry: UpdatesUnderWay.Retry?
  /// Whether the updates of the phone that a list continues overlap.
  private let startOverlaps: Bool
  /// Whether those of any phone may.
  private var mayOverlap: Bool
  /// The initial state of an undeclared phone; nil for the defaults.
  private let start: Phone?
  private let keepsNames: Bool
  /// What undeclared phones have instead of the defaults; nil for nothing.
  private let varies: PhoneMatrix.Cell?
  /// The names of the phones by index, if they are kept.
  package private(set) var names: [String] = []

  package init(_ runner: StepRunner, keepsNames: Bool = false, varies: PhoneMatrix.Cell? = nil) {
    self.runner = runner
    self.varies = varies
    self.keepsNames = keepsNames
    start = nil
    (startOverlaps, mayOverlap) = (false, false)
  }

  /// For a list that continues one phone, whatever name it uses.
  package init(_ runner: StepRunner, everyPhone phone: Phone) {
    self.runner = runner
    keepsNames = false
    varies = nil
    start = phone
    startOverlaps = phone.device.profile.settings.completion != .inTurn
    mayOverlap = startOverlaps
  }

  /// The phone of a list about one phone, after its steps; nil for no phone or several.
  package var onlyPhone: Phone? { phones.count == 1 ? phones[0] : nil }

  /// Runs a step on its phone and returns when it began. A phone that was never declared has the defaults.
  package func complete(_ step: Step, _ report: inout StepReport) throws(StepError) -> Instant {
    let index = index(of: step)
    return try runner.complete(step, on: &phones[index], &report)
  }

  /// Runs a step on its phone, and returns everything that can be shown of it.
  package func run(_ step: Step) throws(StepError) -> StepResult {
    let index = index(of: step)
    return try runner.run(step, on: &phones[index])
  }

  /// Whether a step may begin before others of its phone have ended.
  @inline(__always)
  package func overlaps(_ step: Step) -> Bool {
    if case .device = step.operation { return isDeclaredToOverlap(step) }
    if !mayOverlap { return false }
    return underWay[step.phone] != nil || startOverlaps && step.phone == phones.count
  }

  /// Whether a step that installs a phone lets its updates overlap, or ends a life in which they do.
  @inline(never)
  private func isDeclaredToOverlap(_ step: Step) -> Bool {
    if case .device(let profile) = step.operation, profile.settings.completion != .inTurn { return true }
    return underWay[step.phone] != nil
  }

  /// Begins a step of a phone whose updates overlap.
  ///
  /// - Parameter ticket: names the step in the results.
  /// - Returns: the results of the phone's steps that have ended since.
  package func begin(_ step: Step, ticket: Int) throws(StepError) -> [UpdatesUnderWay.Ended] {
    let index = index(of: step)
    let updates = underWay[index] ?? UpdatesUnderWay(runner, retry: retry)
    underWay[index] = updates
    mayOverlap = true
    try updates.begin(step, ticket: ticket, on: &phones[index])
    return updates.takeEnded()
  }

  /// Lets everything that is under way come to its end.
  ///
  /// - Returns: the results of all steps that had not ended.
  package func endAll() -> [UpdatesUnderWay.Ended] {
    underWay.sorted { $0.key < $1.key }.flatMap { index, updates in
      updates.endAll(on: &phones[index])
      return updates.takeEnded()
    }
  }

  /// The current state of a step's phone.
  package subscript(step: Step) -> Phone {
    get { phones[index(of: step)] }
    set { phones[index(of: step)] = newValue }
  }

  /// Loads the memory of the phones of the next steps.
  func touch(_ indices: [Int]) { phones.touch(indices) }

  /// The current state of a phone, by its index in ``names``.
  package func phone(at index: Int) -> Phone { phones[index] }

  /// Skips a step, but still gives its phone an index.
  package func skip(_ step: Step) { if step.operation.takesPhone { _ = index(of: step) } }

  private func newPhone(for step: Step) -> Phone {
    if let start { return start }
    // The step installs the phone, so do not make one with the defaults first.
    if case .device(let profile) = step.operation, step.skip == nil {
      return Phone(device: Device(profile), clock: PhoneClock(isVirtual: true))
    }
    var phone = Phone.undeclared(named: step.device)
    if let varies {
      var profile = phone.device.profile
      varies.apply(to: &profile)
      phone.device.profile = profile
    }
    return phone
  }

  private func index(of step: Step) -> Int {
    // Phones get their indices in the order of their first steps.
    if step.phone == phones.count {
      phones.append(newPhone(for: step))
      if keepsNames { names.append(step.device) }
    }
    return step.phone
  }
}

/// Observes the steps of a list as they run: terminal output, reports, progress, recordings and the timeline.
///
/// A new output is a new observer. An observer that fails keeps its error and stops the list.
package protocol StepObserver: AnyObject {
  /// Whether the observer needs the result of a step. If no observer does, only a report is made, which takes a
  /// fraction of the time.
  func wantsResult(of step: Step) -> Bool

  /// A step whose result is wanted is about to run.
  func stepBegins(_ step: Step)

  /// Receives an event of a step.
  ///
  /// - Parameter reader: the list's reader, positioned at the step.
  /// - Returns: false to stop the list.
  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool
}

extension StepObserver {
  package func stepBegins(_ step: Step) {}
}

/// An event of a step in a list.
package enum StepEvent {
  /// The step ran.
  ///
  /// - Parameters:
  ///   - verdicts: the verdicts on its expectations; empty for a step that is not selected.
  ///   - isSelected: whether it is to be shown, checked and reported.
  case ran(StepResult, verdicts: [Expectation.Verdict], isSelected: Bool)
  /// The step ran, and no observer wanted its result.
  case completed(StepReport, at: Instant, isSelected: Bool)
  /// The step was skipped, for the reason that the list gives.
  case skipped(reason: String, isSelected: Bool)
  /// The step ran, and will run again from the phone's previous state: the endpoint did not give an answer, or not the
  /// expected one.
  case retried(StepResult, reason: String, attempt: Int)
}
