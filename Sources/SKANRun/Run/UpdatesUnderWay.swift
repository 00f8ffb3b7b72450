import SKANBase
import SKANDevice

/// The updates of a phone whose calls overlap, from their calls to their ends; see the article "Overlapping calls".
///
/// An update runs in four blocks: the call, the lock, the answer, Apple's completion. Between two blocks of one update
/// run those of others. Nothing runs at the same time: what is due waits in one queue, ordered by time and sequence,
/// and runs before the next step of the phone.
package final class UpdatesUnderWay {
  /// The time from Apple's call to its completion where a step does not say it. *Ours*: no source states it.
  package static let completionTime = TimeSpan(microseconds: 50_000)

  /// An update from its call to its end.
  private final class Update {
    let step: Step
    /// The number of the step among those of all phones.
    let ticket: Int
    let name: String
    let options: Step.Update
    let at: Instant
    /// When it was called, in true time.
    let called: Int64
    let early: PhoneClock.EarlyBeginning?
    let window: ConversionWindow?
    /// The store before the answer, for the report of the app's server.
    var before: KeptState
    var course: LifeEvent.Course
    let keptAtCall: KeptState
    var stage = UpdateStage.waiting
    var request: ConversionRequest?
    var answer: Answer?
    var completion: UpdateCompletion?
    var report = StepReport()
    /// Warnings about its course among other updates.
    var found: [Warning] = []
    /// The number of its call among those of Apple's framework.
    var appleCall = 0

    /// The options of the app's call; the store that the handler reads is recorded.
    var recordingOptions: UpdateOptions {
      var options = options.options
      options.recordsKeptInHandler = true
      return options
    }

    /// The update in messages.
    var displayName: String {
      if case .event(let name, _) = step.operation { "the event \(JSONWriter.quoted(name))" } else { "the session" }
    }

    init(
      _ step: Step, _ ticket: Int, _ name: String, _ options: Step.Update, _ at: Instant, called: Int64,
      _ early: PhoneClock.EarlyBeginning?, on device: Device
    ) {
      (self.step, self.ticket, self.name, self.options) = (step, ticket, name, options)
      (self.at, self.called, self.early) = (at, called, early)
      window = device.window(at: at)
      before = device.kept
      course = LifeEvent.Course(calledAt: at)
      keptAtCall = device.kept
    }
  }

  private struct Block {
    enum Kind { case answer, completion }

    /// In true time.
    let due: Int64
    let kind: Kind
    let update: Update
  }

  private let runner: StepRunner
  /// The blocks to come, the earliest first; equal times in the order in which they were scheduled.
  private var blocks: [Block] = []
  private var holder: Update?
  private var waiting: [Update] = []
  /// Microseconds that have passed, which setting the clock does not change; ``offset`` later the phone's clock shows.
  private var now: Int64 = 0
  /// Nil until a step has a time.
  private var offset: Int64?
  private var appleCalls = 0
  /// The latest of Apple's calls that has completed.
  private var completed: (call: Int, name: String) = (0, "")
  private var last: Int?
  /// The results that ``takeEnded()`` returns.
  private var ended: [Ended] = []
  /// The number of steps that have ended.
  private var ends = 0

  /// The result of a step, and the number under which it began.
  package typealias Ended = (ticket: Int, result: StepResult)

  /// Whether to send a request again that was not answered: shows the attempt, whose number is from 1, and waits.
  package typealias Retry = (_ result: StepResult, _ reason: String, _ attempt: Int, _ ticket: Int) -> Bool

  private let retry: Retry?

  /// - Parameter retry: nil where no request is sent again.
  package init(_ runner: StepRunner, retry: Retry? = nil) { (self.runner, self.retry) = (runner, retry) }

  /// The results of the steps that have ended since the last call of this, in the order of their ends.
  package func takeEnded() -> [Ended] {
    defer { ended = [] }
    return ended
  }

  /// Begins a step; it may end later.
  package func begin(_ step: Step, ticket: Int, on phone: inout Phone) throws(StepError) {
    if case .device = step.operation {
      endAll(on: &phone)
      add(try runner.run(step, on: &phone), ticket)
      (offset, last, completed) = (nil, nil, (0, ""))
      return
    }
    switch step.time {
    case .at, .sinceFirst: break
    case .after, .now, nil: endLast(on: &phone)
    }
    guard let at = phone.clock.beginning(step.time, now: runner.now()) else { throw .timeOutOfRange }
    pass(to: at, on: &phone)
    last = ticket
    switch step.operation {
    case .session(let update): try call(step, ticket, Device.sessionEventName, update, at, on: &phone)
    case .event(let name, let update): try call(step, ticket, name, update, at, on: &phone)
    default:
      switch step.operation {
      case .relaunch, .update, .download: endProcess(on: &phone)
      default: break
      }
      let result = try runner.run(step, on: &phone)
      if result.report.crash != nil { endProcess(on: &phone) }
      add(result, ticket)
      pass(to: result.endedAt, on: &phone)
    }
  }

  /// Lets everything that is under way come to its end.
  package func endAll(on phone: inout Phone) {
    while let block = blocks.first { run(block, on: &phone) }
    if offset != nil { phone.clock.previousEnded(at: clock) }
  }

  /// The phone's clock.
  private var clock: Instant { Instant(microseconds: now + (offset ?? 0)) }

  /// Lets the previous step end, whose end the next one counts from.
  private func endLast(on phone: inout Phone) {
    guard let last, offset != nil else { return }
    func isUnderWay() -> Bool {
      holder?.ticket == last || waiting.contains { $0.ticket == last } || blocks.contains { $0.update.ticket == last }
    }
    while isUnderWay(), let block = blocks.first { run(block, on: &phone) }
    phone.clock.previousEnded(at: clock)
  }

  /// Lets time pass until a step, and runs what is due by then. An earlier time sets the clock back: no time passes.
  private func pass(to at: Instant, on phone: inout Phone) {
    if offset == nil { offset = at.microseconds - now }
    let end = max(at, clock).microseconds - (offset ?? 0)
    while let block = blocks.first, block.due <= end { run(block, on: &phone) }
    now = end
    offset = at.microseconds - now
  }

  private func schedule(_ kind: Block.Kind, of update: Update, in span: TimeSpan) {
    let block = Block(due: now + span.microseconds, kind: kind, update: update)
    blocks.insert(block, at: blocks.firstIndex { $0.due > block.due } ?? blocks.count)
  }

  private func run(_ block: Block, on phone: inout Phone) {
    blocks.removeFirst()
    now = block.due
    switch block.kind {
    case .answer: receive(block.update, on: &phone)
    case .completion: complete(block.update, on: &phone)
    }
  }
}

// MARK: The blocks of an update

extension UpdatesUnderWay {
  /// The call: checks, and waits for the lock.
  private func call(
    _ step: Step, _ ticket: Int, _ name: String, _ options: Step.Update, _ at: Instant, on phone: inout Phone
  ) throws(StepError) {
    if options.completionTook != nil, phone.device.profile.settings.completion != .deferred {
      throw .completionTookUnused
    }
    if let took = options.took, at.advanced(by: took) == nil { throw .timeOutOfRange }
    let decides = phone.device.launched(at: at)
    let update = Update(
      step, ticket, name, options, at, called: now, phone.clock.earlyBeginning(at), on: phone.device)
    if decides { update.found += phone.device.impressions?.race?.warnings ?? [] }
    phone.clock.record(step.time, beginning: at, end: at)
    if let report = phone.device.callUpdate(at: at) {
      update.report = report
      end(update, on: &phone)
    } else if holder == nil {
      lock(update, on: &phone)
    } else {
      waiting.append(update)
    }
  }

  /// The lock: builds the request from the store of this moment and sends it.
  private func lock(_ update: Update, on phone: inout Phone) {
    if now > update.called { update.found.append(.waits(TimeSpan(microseconds: now - update.called))) }
    if let report = phone.device.buildRequest() {
      update.report = report
      end(update, on: &phone)
      return endProcess(on: &phone)
    }
    holder = update
    let unstored = blocks.filter { $0.kind == .completion }.map(\.update.displayName)
    if !unstored.isEmpty { update.found.append(.staleRequest(of: unstored)) }
    update.stage = .sent
    update.before = phone.device.kept
    update.request = phone.device.request(event: update.name)
    update.course.requestedAt = clock
    update.answer = answer(to: update, of: &phone)
    schedule(.answer, of: update, in: update.options.took ?? .zero)
  }

  /// Sends the request of an update, and sends it again when it is not answered. An answer that is not as expected is
  /// known too late for that.
  private func answer(to update: Update, of phone: inout Phone) -> Answer {
    var attempts = 0
    while true {
      // The answerer keeps what it remembers in the phone.
      let before = retry == nil ? nil : phone
      let answer = runner.answer(to: update.name, update.options, at: clock, of: &phone)
      guard let retry, let before, let request = update.request, update.options.answer == nil,
        case .response(.failure(let reason)) = answer.content
      else { return answer }
      attempts += 1
      let result = StepResult(
        step: update.step, at: update.at, endedAt: clock, report: StepReport(), device: phone.device)
      result.exchange = runner.exchange(request, answer, of: update.step.operation)
      guard retry(result, reason, attempts, update.ticket) else { return answer }
      phone = before
    }
  }

  /// The answer: checks it, calls Apple's framework and unlocks.
  private func receive(_ update: Update, on phone: inout Phone) {
    guard let answer = update.answer else { return }
    update.course.answeredAt = clock
    let completion = runner.receive(
      answer.content, of: update.options, at: clock, on: &phone, options: update.recordingOptions, &update.report)
    if case .response(let response) = answer.content { runner.compare(response, of: update.options, &update.report) }
    if let completion {
      update.stage = .called
      update.completion = completion
      appleCalls += 1
      update.appleCall = appleCalls
      switch phone.device.profile.settings.completion {
      case .sync: complete(update, on: &phone)
      case .never:
        update.report.outcome = .uncompleted
        update.report.explanation = .uncompleted
        end(update, on: &phone)
      case .deferred, .inTurn:
        schedule(.completion, of: update, in: update.options.completionTook ?? Self.completionTime)
      }
      return unlock(on: &phone)
    }
    end(update, on: &phone)
    if update.report.crash != nil {
      holder = nil
      return endProcess(on: &phone)
    }
    guard phone.device.process.isLockHeld else { return unlock(on: &phone) }
    // Nobody unlocks any more.
    holder = nil
    for blocked in waiting {
      blocked.report = .blocked
      end(blocked, on: &phone)
    }
    waiting = []
  }

  private func unlock(on phone: inout Phone) {
    holder = nil
    if !waiting.isEmpty { lock(waiting.removeFirst(), on: &phone) }
  }

  /// Apple's completion: the app's handler, then the store.
  private func complete(_ update: Update, on phone: inout Phone) {
    guard let completion = update.completion else { return }
    update.course.completedAt = clock
    phone.device.complete(completion, at: clock, options: update.recordingOptions, &update.report)
    let window = phone.device.window(at: clock)
    if let called = update.window, called != window { update.found.append(.storedInLaterWindow(called, window)) }
    if completed.call > update.appleCall { update.found.append(.completedOutOfOrder(after: completed.name)) }
    if update.appleCall > completed.call { completed = (update.appleCall, update.displayName) }
    end(update, on: &phone)
  }
}

// MARK: The end of an update

extension UpdatesUnderWay {
  /// Ends an update with its result.
  ///
  /// - Parameter device: the phone when it ended, if that is not the present one.
  private func end(_ update: Update, on phone: inout Phone, device: Device? = nil) {
    if update.answer != nil, update.report.outcome != .killed {
      phone.device.end(&update.report, update.options.options)
      runner.annotate(&update.report, after: update.options, of: &phone)
    }
    var endedAt = clock
    let parts = ResultParts()
    if let options = update.options.forward, update.report.outcome != .killed {
      let subject: ForwardedRequest.Subject =
        if case .event(let name, _) = update.step.operation { .event(name: name, options.revenue) } else { .session }
      runner.addReport(
        subject, options, update.before, update.at, of: &phone, parts, &endedAt, &update.report)
    }
    if case .event(let name, _) = update.step.operation { runner.ended(name, on: &phone, &update.report) }
    if !update.found.isEmpty { update.report.found += update.found }
    update.report.note(update.early)
    let result = StepResult(
      step: update.step, at: update.at, endedAt: endedAt, report: update.report, device: device ?? phone.device)
    if let request = update.request, let answer = update.answer {
      result.exchange = runner.exchange(request, answer, of: update.step.operation)
    }
    result.forwarded = parts.forwarded
    (result.course, result.keptAtCall) = (update.course, update.keptAtCall)
    add(result, update.ticket)
  }

  private func add(_ result: StepResult, _ ticket: Int) {
    ends += 1
    result.endNumber = ends
    ended.append((ticket, result))
  }

  /// The process of the app ends: what waits, is under way or has not completed is killed.
  private func endProcess(on phone: inout Phone) {
    let killed = ([holder].compactMap(\.self) + waiting + blocks.map(\.update).filter { $0 !== holder })
      .sorted { $0.ticket < $1.ticket }
    (holder, waiting, blocks) = (nil, [], [])
    // Its lock is gone with it.
    var device = phone.device
    device.process.isLockHeld = false
    for update in killed {
      var report = StepReport(.killed, .killed(update.stage))
      if let call = update.report.framework, let answer = update.report.frameworkAnswer {
        report.note(call, answer)
      }
      update.report = report
      update.found.append(
        .killed(update.stage, apple: update.report.framework?.fineValue, app: device.keptValue))
      end(update, on: &phone, device: device)
    }
  }
}
