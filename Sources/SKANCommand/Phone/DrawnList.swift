import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun

/// An event list that is run to draw one of its phones.
struct DrawnList {
  struct Options: Sendable {
    /// The name of the phone; nil for the only one.
    let device: String?
    /// The time of `--at`.
    let time: TimeSpec?
    let answering: AnswerOptions
    let lists: ListOptions
  }

  private let invocation: Invocation
  private let name: String
  private let setup: StepSetup
  private let options: Options
  private let reading: ListReader.Options

  init(_ invocation: Invocation, _ name: String, _ options: Options) throws(CommandError) {
    self.invocation = invocation
    self.name = name
    self.options = options
    if name.isEmpty { throw invocation.usage("an argument is empty: name an event list") }
    try invocation.requireOneInput(options.answering, called: "list")
    setup = try StepSetup(options.answering, invocation)
    var reading = ListReader.Options()
    reading.requiresSteps = true
    reading.variables = try options.lists.variables(invocation).ofList(name)
    let files = invocation.environment.files
    reading.open = { path throws(SourceFailure) in try files.open(path) }
    reading.openIncluded = { path throws(SourceFailure) in try files.openFile(path) }
    reading.otherContent = files.contentOfNoList
    reading.readPlists()
    let includes = options.lists.includes
    reading.mayInclude = { includes.allows($0, for: $1) }
    self.reading = reading
  }

  /// Runs the list to its end, or until the time of `--at` for each phone.
  ///
  /// - Throws: also if the list has several phones and none is named.
  func life() throws(CommandError) -> DrawnLife {
    let phone = try chosen(try run())
    if let stop = phone.stoppedAt, phone.first == nil {
      throw invocation.usage(
        "\(invocation.name(of: TimelineCommand.at)): at \(stop) nothing has happened yet to "
          + "\(phone.name.isEmpty ? "the phone" : "the phone \(JSONWriter.quoted(phone.name))"); its first step is at "
          + "\(phone.end)")
    }
    return try drawn(phone)
  }

  private func drawn(_ phone: DrawnPhone) throws(CommandError) -> DrawnLife {
    var now = phone.stoppedAt ?? phone.end
    if let time = options.time, phone.stoppedAt == nil { now = try invocation.moment(time, by: phone.clock) }
    return DrawnLife(
      name: phone.name, device: phone.device, history: phone.history, now: now, redactor: setup.redactor,
      underWay: phone.underWay)
  }

  /// Runs the list as ``life()`` does, and returns the lives of all its phones, or that of `--device`. Phones to which
  /// nothing has happened by the time of `--at` have none.
  func lives() throws(CommandError) -> [DrawnLife] {
    if options.device != nil { return [try life()] }
    var lives: [DrawnLife] = []
    for phone in try run() where phone.stoppedAt == nil || phone.first != nil {
      lives.append(try drawn(phone))
    }
    if lives.isEmpty { _ = try chosen([]) }
    return lives
  }

  /// Runs the list and returns its phones, in order of appearance.
  private func run() throws(CommandError) -> [DrawnPhone] {
    let source = try open()
    if source.isRegular { try check() }
    let reader = ListReader(name, source, reading)
    let execution = StepExecution(setup)
    let phones = ListPhones(execution.runner(now: { .listStart }))
    let drawn = DrawnPhones(invocation, until: options.time, execution.redactor)
    var runOptions = ListRun.Options()
    // Expectations are not evaluated.
    runOptions.selects = { _ in false }
    runOptions.isInterrupted = invocation.environment.isInterrupted
    let list = ListRun(
      reader, on: phones, runOptions, observer: drawn, settle: { execution.settle($0) },
      attempt: { execution.attempt($0, on: phones) })
    let end = list.run()
    if let failure = drawn.failure { throw failure }
    switch end {
    case .finished, .stopped: return drawn.inOrder
    case .interrupted: throw .interrupted
    case .wrong(let problems): throw .lists(problems, count: problems.count)
    case .unreadable(let failure): throw CommandError(failure, file: name)
    }
  }

  private func chosen(_ phones: [DrawnPhone]) throws(CommandError) -> DrawnPhone {
    if phones.isEmpty {
      let start = TextLocation(of: 0..<0, in: [])
      throw .content(file: name, [SourceNote(location: start, message: "no step runs: there is no phone to draw")])
    }
    let option = TimelineCommand.device.flag
    let first = phones.prefix(5).map { JSONWriter.quoted($0.name) }.joined(separator: ", ")
    let names = phones.count > 5 ? "\(first) and \(phones.count - 5) more" : first
    guard let wanted = options.device else {
      if phones.count == 1 { return phones[0] }
      throw invocation.usage("\(name) has \(phones.count) phones; choose one with \(option): \(names)")
    }
    guard let phone = phones.first(where: { $0.name.isLiterally(wanted) }) else {
      throw invocation.usage("\(name) has no phone \(JSONWriter.quoted(wanted)); it has \(names)")
    }
    return phone
  }

  private func open() throws(CommandError) -> ByteSource {
    do throws(SourceFailure) { return try invocation.environment.files.open(name) } catch {
      throw CommandError(error, file: name, hint: invocation.environment.files.hint(forMissingList: name))
    }
  }

  /// Reads the list before its first step, to report all of its mistakes.
  private func check() throws(CommandError) {
    var check = ListCheck()
    let files = invocation.environment.files
    do throws(SourceFailure) {
      try check.add(name, reading) { () throws(SourceFailure) in try files.open(name) }
    } catch {
      throw CommandError(error, file: name)
    }
    guard check.count == 0 else { throw .lists(check.problems, count: check.count) }
  }
}

/// A phone of a list, and its history since it was last installed.
struct DrawnPhone {
  let name: String
  var device: Device
  var history: [LifeEvent] = []
  var first: Instant?
  var end: Instant
  /// The time of `--at`, once a later step has come. The phone does not change after that.
  var stoppedAt: Instant?
  /// The updates that have not ended at that time.
  var underWay = 0
  /// The number of the end after which ``device`` is the phone, if its updates overlap.
  var endNumber = 0

  /// The clock that resolves `--at`.
  var clock: PhoneClock { PhoneClock(first: first, hasGivenTime: true, end: end, isVirtual: true) }
}

/// Collects the phones of a running list, each up to the time of `--at`.
final class DrawnPhones: StepObserver {
  private let invocation: Invocation
  private let time: TimeSpec?
  private let redactor: Redactor
  private var phones: [Int: DrawnPhone] = [:]
  /// The error, if the time of `--at` cannot be used.
  private(set) var failure: CommandError?

  /// - Parameters:
  ///   - time: the time of `--at`.
  ///   - redactor: removes the SDK key from a device.
  init(_ invocation: Invocation, until time: TimeSpec?, _ redactor: Redactor) {
    self.invocation = invocation
    self.time = time
    self.redactor = redactor
  }

  /// The phones in order of appearance.
  var inOrder: [DrawnPhone] { phones.sorted { $0.key < $1.key }.map(\.value) }

  func wantsResult(of step: Step) -> Bool { true }

  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    guard case .ran(let result, _, _) = event else { return true }
    do throws(CommandError) { try add(result, to: &phones[result.step.phone]) } catch { failure = error }
    return failure == nil
  }

  private func add(_ result: StepResult, to phone: inout DrawnPhone?) throws(CommandError) {
    // The results of updates that overlap are in the order of the list, and not in that of their ends.
    if phone?.stoppedAt != nil, result.endNumber == nil { return }
    var device = result.device
    device.redact(by: redactor)
    let fresh = DrawnPhone(name: result.step.device, device: device, end: result.endedAt)
    var changed = phone ?? fresh
    let later: Instant? =
      if let stopped = changed.stoppedAt { result.endedAt > stopped ? stopped : nil } else {
        try stop(before: result, of: changed)
      }
    if let stop = later {
      changed.stoppedAt = stop
      if result.course != nil, result.at <= stop { changed.underWay += 1 }
      if changed.first == nil { changed.end = result.at }
      phone = changed
      return
    }
    phone = nil
    if case .device = result.step.operation {
      changed = fresh
    } else {
      changed.first = changed.first ?? result.at
    }
    if result.endNumber.map({ $0 > changed.endNumber }) ?? true {
      changed.device = device
      changed.end = result.endedAt
      changed.endNumber = result.endNumber ?? 0
    }
    changed.history += result.lifeEvents
    phone = changed
  }

  /// The time of `--at`, if the step ends after it and is therefore not drawn; otherwise nil.
  private func stop(before result: StepResult, of phone: DrawnPhone) throws(CommandError) -> Instant? {
    // An install without a time leaves the clock to the next step.
    guard let time, phone.first != nil || result.step.time != nil || result.step.operation.takesTime else { return nil }
    var phone = phone
    phone.first = phone.first ?? result.at
    let stop = try invocation.moment(time, by: phone.clock)
    return result.endedAt > stop ? stop : nil
  }
}
