import SKANDevice
import SKANBase
import SKANRun

/// An event list that runs for the drawing of one of its phones.
struct DrawnList {
  struct Options: Sendable {
    /// The phone; nil for the only one.
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
    let includes = options.lists.includes
    reading.mayInclude = { includes.allows($0, for: $1) }
    self.reading = reading
  }

  /// Runs the list to its end, or a phone of it until the moment of `--at`.
  ///
  /// - Throws: also when several phones are in it and none is named.
  func life() throws(CommandError) -> DrawnLife {
    let phone = try chosen(try run())
    if let stop = phone.stoppedAt, phone.first == nil {
      throw invocation.usage(
        "\(invocation.name(of: TimelineCommand.at)): at \(stop) nothing has happened yet to "
          + "\(phone.name.isEmpty ? "the phone" : "the phone \(JSONWriter.quoted(phone.name))"); its first step is at "
          + "\(phone.end)")
    }
    var now = phone.stoppedAt ?? phone.end
    if let time = options.time, phone.stoppedAt == nil { now = try invocation.moment(time, by: phone.clock) }
    return DrawnLife(
      name: phone.name, device: phone.device, history: phone.history, now: now, redactor: setup.redactor)
  }

  /// The phones in the order in which they are first met.
  private func run() throws(CommandError) -> [DrawnPhone] {
    let source = try open()
    if source.isRegular { try check() }
    let reader = ListReader(name, source, reading)
    let execution = StepExecution(setup)
    let lists = ListRunner(execution.runner(now: { .listStart }))
    let phones = DrawnPhones(invocation, until: options.time) { execution.redact(&$0) }
    var runOptions = ListRun.Options()
    // Expectations are not looked at.
    runOptions.selects = { _ in false }
    runOptions.isInterrupted = invocation.environment.isInterrupted
    let list = ListRun(reader, on: lists, runOptions, observer: phones) { execution.attempt($0, on: lists) }
    let end = list.run()
    if let failure = phones.failure { throw failure }
    switch end {
    case .finished, .stopped: return phones.inOrder
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

  /// Reads the list once before the first step, so that all its mistakes are reported.
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
