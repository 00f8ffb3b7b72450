import SKANDevice
import SKANJSON

/// Reads the lines of event lists, one at a time; see the README, "Event lists".
package final class StepReader {
  /// For what a message asks of a line again.
  private let document = JSONDocument()
  /// Every line that is read by itself is taken apart in the same memory.
  private var line: JSONObjectReader
  /// The tables are this reader's own: threads that share one fight for its reference count.
  private let keys = JSONKeys(StepKey.names)
  private let order: JSONKeyOrder
  private let operations = JSONKeys(OperationName.names)
  private let allowed = StepKey.allowed

  package init() {
    order = JSONKeyOrder(of: keys)
    line = JSONObjectReader(known: keys, order: order)
  }

  /// Reads what a line holds.
  ///
  /// - Parameters:
  ///   - step: is made the step, when it is one.
  ///   - phones: the list's phones so far; a new one is added.
  /// - Throws: every problem of the line, with byte offsets in it.
  package func read(
    _ text: UnsafeBufferPointer<UInt8>, into step: inout Step, phones: NameTable
  ) throws(SourceProblems) -> ListEntry {
    try takeApart(text, as: &line)
    return try read(&line, into: &step, phones: phones)
  }

  /// What a line can be taken apart as.
  func emptyLine() -> JSONObjectReader { JSONObjectReader(known: keys, order: order) }

  /// Takes a line apart, so that a step can be made of it later.
  func takeApart(_ text: UnsafeBufferPointer<UInt8>, as line: inout JSONObjectReader) throws(SourceProblems) {
    do throws(JSONError) { try line.read(text, what: "a step") } catch { throw [SourceProblem(error)] }
  }

  /// Reads what a line holds that was taken apart.
  func read(
    _ reader: inout JSONObjectReader, into step: inout Step, phones: NameTable
  ) throws(SourceProblems) -> ListEntry {
    guard reader.isObject else {
      let problems = reader.problems
      guard case .array(let items) = reader.object.content, items.first?.isObject ?? false else {
        throw SourceProblems(problems)
      }
      let words = "this is an array of steps; a list has one step a line, which jq -c '.[]' FILE makes of it"
      throw [SourceProblem(words, at: 0..<1)]
    }
    guard let place = reader.name(at: StepKey.op, among: operations), let name = OperationName(rawValue: place) else {
      throw [problem(withOperationOf: reader)]
    }
    reader.allow(allowed[place], what: name.what)
    if name == .include { return try include(from: &reader, into: &step) }
    // The common keys first, so that a problem with the operation does not hide theirs.
    step.phone = reader.string(at: StepKey.device, in: phones) ?? phones.insert("")
    if step.phones !== phones { step.phones = phones }
    let hasRemarks = reader.hasAny(of: StepKey.remarks)
    step.label = hasRemarks ? reader.string(at: StepKey.label) : nil
    step.skip = hasRemarks ? skip(from: &reader) : nil
    step.time = time(from: &reader)
    step.expectations = hasRemarks ? expectations(from: &reader) : []
    readOperation(name, from: &reader, into: &step)
    if !reader.problems.isEmpty { throw SourceProblems(reader.problems) }
    return .step
  }

  /// Whether this line declares a phone, and which; as far as the line can be read.
  func declaredName(in line: UnsafeBufferPointer<UInt8>) -> String? {
    guard (try? document.read(line)) != nil, document.root.member("op")?.value == .string("device") else { return nil }
    if case .string(let name)? = document.root.member("device")?.content { return name }
    return ""
  }

  /// Where the value of a key stands, for a message about it.
  func range(of key: String, in line: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard (try? document.read(line)) != nil else { return 0..<line.count }
    return document.root.member(key)?.range ?? 0..<line.count
  }

  private func include(
    from reader: inout JSONObjectReader, into step: inout Step
  ) throws(SourceProblems) -> ListEntry {
    let file = reader.string(at: StepKey.file)
    if file == nil { reader.require(at: StepKey.file) }
    if file?.isEmpty ?? false { reader.complain("\"file\" must name a list", about: "file") }
    let skip = skip(from: &reader)
    guard let file, reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    guard let skip else { return .include(file, at: reader.node(at: StepKey.file)?.range ?? 0..<1) }
    step = Step(.include(file))
    step.skip = skip
    return .step
  }

  private func skip(from reader: inout JSONObjectReader) -> String? {
    let reason = reader.string(at: StepKey.skip)
    if reason?.isEmpty ?? false { reader.complain("\"skip\" must say why", about: "skip") }
    return reason
  }

  private func problem(withOperationOf reader: JSONObjectReader) -> SourceProblem {
    let names = OperationName.names
    guard let op = reader.node(at: StepKey.op) else {
      return SourceProblem(
        "a step needs the key \"op\": one of \(names.joined(separator: ", "))", at: reader.object.range)
    }
    guard case .string(let name) = op.content else {
      return SourceProblem("\"op\" must be a string, this is \(op.briefly)", at: op.range)
    }
    let hint =
      nearestName(to: name, in: names).map { "did you mean \"\($0)\"?" } ?? "known: \(names.joined(separator: ", "))"
    return SourceProblem("there is no op \(JSONWriter.quoted(name)); \(hint)", at: op.range)
  }

  private func readOperation(_ name: OperationName, from reader: inout JSONObjectReader, into step: inout Step) {
    switch name {
    case .device:
      let profile = DeviceProfile(from: &reader, phone: step.device)
      if let problem = profile.clockProblem { reader.complain("\(problem); set \"ios\": \"18.0\"", about: "clock") }
      step.operation = .device(profile)
    case .register: step.operation = .register(frameworkError: reader.integer(at: StepKey.frameworkError))
    case .session: step.operation = .session(update(from: &reader))
    case .event:
      // Both are read, so that a bad name does not hide what is wrong with the rest.
      let name = reader.string(at: StepKey.name)
      if name == nil { reader.require(at: StepKey.name) }
      step.operation = .event(name: name ?? "", update(from: &reader))
    case .revenue: step.operation = .revenue(revenue(from: &reader))
    case .details, .include: step.operation = .details
    case .relaunch: step.operation = .relaunch
    case .postbacks: step.operation = .postbacks
    case .update:
      step.operation = .update(
        ios: reader.iosVersion("ios"), appVersion: reader.string("app_version"), snippet: reader.choice("snippet"))
      if !reader.has("ios"), !reader.has("app_version"), !reader.has("snippet") {
        reader.complain("an update needs at least one of \"ios\", \"app_version\", \"snippet\"")
      }
    }
  }

  private func revenue(from reader: inout JSONObjectReader) -> Step.Revenue {
    let amount = reader.number(at: StepKey.amount)
    if amount == nil { reader.require(at: StepKey.amount) }
    if let amount, !Float(amount).isFinite {
      reader.complain("\"amount\" must fit a single-precision number (up to 3.4e38)", about: "amount")
    }
    var currency: String?
    if let node = reader.node(at: StepKey.currency) {
      if !node.isNull { currency = reader.string(at: StepKey.currency) }
    } else {
      reader.complain("a revenue step needs the key \"currency\" (null for none)")
    }
    return Step.Revenue(
      amount: amount ?? 0, currency: currency, isAdMonetization: reader.bool(at: StepKey.adMonetization) ?? false)
  }

  private func update(from reader: inout JSONObjectReader) -> Step.Update {
    var update = Step.Update()
    guard reader.hasAny(of: StepKey.circumstances) else { return update }
    if let node = reader.node(at: StepKey.answer) {
      var answer = JSONObjectReader(node, what: "an answer", known: AnswerForm.keys)
      update.answer = AnswerForm.read(&answer)
      reader.add(answer.problems)
    }
    if reader.has(at: StepKey.took) {
      update.took = span(at: StepKey.took, of: reader)
      if update.took == nil {
        reader.complain(
          at: StepKey.took, expected: "seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d)")
      }
    }
    update.options.hasHandler = !(reader.bool(at: StepKey.noHandler) ?? false)
    update.options.frameworkError = reader.integer(at: StepKey.frameworkError)
    return update
  }

  private func time(from reader: inout JSONObjectReader) -> TimeSpec? {
    var time: TimeSpec?
    if reader.has(at: StepKey.at) {
      if let seconds = reader.integerIfAny(at: StepKey.at) {
        time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      } else if let seconds = reader.numberIfAny(at: StepKey.at) {
        time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      } else if case .string(let text)? = reader.node(at: StepKey.at)?.content {
        time = TimeSpec(at: text)
      }
      if time == nil {
        let hint =
          switch reader.node(at: StepKey.at)?.content {
          case .string(let text)?: TimeHint.words(text)
          default: reader.numberIfAny(at: StepKey.at).map { TimeHint.words($0) } ?? ""
          }
        reader.complain(
          at: StepKey.at,
          expected: "Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\"", hint: hint)
      }
    }
    if reader.has(at: StepKey.after) {
      if reader.has(at: StepKey.at) {
        reader.complain("a step has \"at\" or \"after\", not both", about: "after")
      }
      if let span = span(at: StepKey.after, of: reader) {
        time = time ?? .after(span)
      } else {
        reader.complain(
          at: StepKey.after, expected: "seconds, 0 or more, or a duration such as \"2d3h\" (units ms s m h d)")
      }
    }
    return time
  }

  /// Seconds as a number, or a duration with units.
  private func span(at place: Int, of reader: JSONObjectReader) -> TimeSpan? {
    if let seconds = reader.numberIfAny(at: place) { return seconds >= 0 ? TimeSpan(seconds: seconds) : nil }
    if case .string(let text)? = reader.node(at: place)?.content { return TimeSpan(text: text) }
    return nil
  }

  private func expectations(from reader: inout JSONObjectReader) -> [Expectation] {
    guard let node = reader.node(at: StepKey.expect) else { return [] }
    guard case .object(let members) = node.content else {
      reader.complain("\"expect\" must be an object of paths and values, this is \(node.kind)", about: "expect")
      return []
    }
    for member in members where !reader.isFull {
      reader.add(Expectation.problems(withPath: member.key, at: member.keyRange, expecting: member.value))
    }
    return members.map { Expectation(path: $0.key, expected: $0.value.value) }
  }
}

extension TimeSpec {
  /// `+DURATION` or an ISO 8601 instant.
  package init?(at text: String) {
    if text.hasPrefix("+") {
      guard let span = TimeSpan(text: String(text.dropFirst())) else { return nil }
      self = .sinceFirst(span)
    } else {
      guard let instant = Instant(iso8601: text) else { return nil }
      self = .at(instant)
    }
  }
}
