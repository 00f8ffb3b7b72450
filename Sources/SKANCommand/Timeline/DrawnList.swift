import SKANDevice
import SKANJSON
import SKANRun

/// An event list that is lived for the sake of one phone's drawing.
struct DrawnList {
  private let invocation: Invocation
  private let name: String
  private let setup: StepSetup
  private let options: ListReader.Options
  /// The time of `--at`.
  private let time: TimeSpec?

  init(_ invocation: Invocation, _ name: String) throws(CommandError) {
    self.invocation = invocation
    self.name = name
    if name.isEmpty { throw invocation.usage("an argument is empty: name an event list") }
    if name == "-", try invocation[.sdkKeyFile] == "-" {
      throw invocation.usage("standard input cannot be both the list and the SDK key")
    }
    setup = try StepSetup(invocation)
    time = try invocation.time()
    var options = ListReader.Options()
    options.variables = try invocation.variables()
    let files = invocation.environment.files
    options.open = { path throws(SourceFailure) in try files.open(path) }
    options.openIncluded = { path throws(SourceFailure) in try files.openFile(path) }
    let includes = try IncludePermission(invocation)
    options.mayInclude = { includes.allows($0, for: $1) }
    self.options = options
  }

  /// One phone of the list, and what happened to it since it was installed last.
  private struct DrawnPhone {
    let name: String
    var device: Device
    var history: [LifeEvent] = []
    var first: Instant?
    var end: Instant
    /// The moment of `--at`, once a step has come that is later: nothing more happens to it.
    var stoppedAt: Instant?

    /// The clock that `--at` counts by.
    var clock: PhoneClock { PhoneClock(first: first, hasGivenTime: true, end: end, isVirtual: true) }
  }

  /// Lives the list to its end, or a phone of it until the moment of `--at`.
  ///
  /// - Throws: also when several phones are in it and none is named.
  func life() throws(CommandError) -> DrawnLife {
    let phone = try chosen(try lived())
    if let stop = phone.stoppedAt, phone.first == nil {
      throw invocation.usage(
        "\(invocation.name(of: TimelineCommand.at)): at \(stop) nothing has happened yet to "
          + "\(phone.name.isEmpty ? "the phone" : "the phone \(JSONWriter.quoted(phone.name))"); its first step is at "
          + "\(phone.end)")
    }
    var now = phone.stoppedAt ?? phone.end
    if let time, phone.stoppedAt == nil { now = try invocation.moment(time, by: phone.clock) }
    return DrawnLife(
      name: phone.name, device: phone.device, history: phone.history, now: now,
      redactor: Redactor(key: setup.sdkKey ?? invocation.environment.sdkKey))
  }

  /// The phones in the order in which they are first met.
  private func lived() throws(CommandError) -> [DrawnPhone] {
    let source = try open()
    if source.isRegular { try check() }
    let reader = ListReader(name, source, options)
    let execution = StepExecution(setup)
    let lists = ListRunner(execution.runner(now: { .listStart }))
    var phones: [Int: DrawnPhone] = [:]
    var step = Step(.details)
    while let item = try next(reader, &step) {
      if case .problems(let found) = item { throw .lists(found, count: found.count) }
      if step.skip != nil {
        lists.skip(step)
        continue
      }
      switch try execution.run({ () throws(StepError) in try lists.run(step) }) {
      case .success(let result): try note(result, execution, &phones[step.phone])
      case .failure(let error): throw .lists([reader.problem(error.words)], count: 1)
      }
    }
    return phones.sorted { $0.key < $1.key }.map(\.value)
  }

  private func note(
    _ result: StepResult, _ execution: StepExecution, _ phone: inout DrawnPhone?
  ) throws(CommandError) {
    if phone?.stoppedAt != nil { return }
    var device = result.device
    execution.redact(&device)
    let fresh = DrawnPhone(name: result.step.device, device: device, end: result.endedAt)
    var changed = phone ?? fresh
    if let stop = try stop(before: result, of: changed) {
      changed.stoppedAt = stop
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
    changed.device = device
    changed.end = result.endedAt
    if let event = result.lifeEvent { changed.history.append(event) }
    phone = changed
  }

  /// The moment of `--at` when a step ends after it: it is not drawn any more.
  private func stop(before result: StepResult, of phone: DrawnPhone) throws(CommandError) -> Instant? {
    // An install without a time of its own leaves the clock to the step that follows.
    guard let time, phone.first != nil || result.step.time != nil || result.step.operation.takesTime else { return nil }
    var phone = phone
    phone.first = phone.first ?? result.at
    let stop = try invocation.moment(time, by: phone.clock)
    return result.endedAt > stop ? stop : nil
  }

  private func chosen(_ phones: [DrawnPhone]) throws(CommandError) -> DrawnPhone {
    let option = TimelineCommand.device.flag
    let shown = phones.prefix(5).map { JSONWriter.quoted($0.name) }.joined(separator: ", ")
    let names = phones.count > 5 ? "\(shown) and \(phones.count - 5) more" : shown
    guard let wanted = try invocation[TimelineCommand.device] else {
      if phones.count == 1 { return phones[0] }
      if phones.isEmpty { throw invocation.usage("\(name) has no step: there is no phone to draw") }
      throw invocation.usage("\(name) has \(phones.count) phones; choose one with \(option): \(names)")
    }
    guard let phone = phones.first(where: { $0.name.isLiterally(wanted) }) else {
      throw invocation.usage("\(name) has no phone \(JSONWriter.quoted(wanted)); it has \(names)")
    }
    return phone
  }

  private func open() throws(CommandError) -> ByteSource {
    do throws(SourceFailure) { return try invocation.environment.files.open(name) } catch {
      throw CommandError(error, file: name, hint: "name an event list, or - for standard input")
    }
  }

  /// Reads the list once before the first step, so that all its mistakes are told.
  private func check() throws(CommandError) {
    var check = ListCheck()
    let files = invocation.environment.files
    do throws(SourceFailure) {
      try check.add(name, options) { () throws(SourceFailure) in try files.open(name) }
    } catch {
      throw CommandError(error, file: name)
    }
    guard check.count == 0 else { throw .lists(check.problems, count: check.count) }
  }

  private func next(_ reader: ListReader, _ step: inout Step) throws(CommandError) -> ListReader.Item? {
    if invocation.environment.isInterrupted() { throw .interrupted }
    do throws(SourceFailure) { return try reader.next(into: &step) } catch {
      throw CommandError(error, file: name)
    }
  }
}
