import SKANDevice
import SKANJSON

/// Reads the lines of event lists, one at a time; see the README, "Event lists".
package struct StepReader {
  /// Every line is taken apart in the same memory.
  private let document = JSONDocument()

  package init() {}

  /// The step that a line holds.
  ///
  /// - Throws: every problem of the line, with byte offsets in it.
  package func read(_ line: UnsafeBufferPointer<UInt8>) throws(SourceProblems) -> Step {
    do throws(JSONError) { try document.read(line) } catch { throw [SourceProblem(error)] }
    let root = document.root
    guard root.isObject else {
      throw [SourceProblem("a step must be an object, this is \(root.kind)", at: root.range)]
    }
    var reader = JSONObjectReader(unchecked: root, what: "a step", known: StepKey.all)
    guard let place = reader.name(StepKey.op, among: OperationName.all), let name = OperationName(rawValue: place) else {
      throw [problem(withOperationOf: reader, root)]
    }
    reader.allow(StepKey.allowed[place], what: OperationName.what[place])
    // The common keys first, so that a problem with the operation does not hide theirs.
    let device = reader.string(StepKey.device) ?? ""
    let label = reader.string(StepKey.label)
    let time = time(from: &reader)
    let expectations = expectations(from: &reader)
    let operation = operation(name, from: &reader, phone: device)
    guard let operation, reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    var step = Step(operation, time: time)
    step.device = device
    step.label = label
    step.expectations = expectations
    return step
  }

  private func problem(withOperationOf reader: JSONObjectReader, _ root: JSONNode) -> SourceProblem {
    let names = OperationName.names
    guard let op = reader.node(StepKey.op) else {
      return SourceProblem("a step needs the key \"op\": one of \(names.joined(separator: ", "))", at: root.range)
    }
    guard case .string(let name) = op.content else {
      return SourceProblem("\"op\" must be a string, this is \(op.briefly)", at: op.range)
    }
    if name == "postbacks" {
      return SourceProblem(
        "the op \"postbacks\" is not built yet: Apple's framework comes with a later version", at: op.range)
    }
    let hint =
      nearestName(to: name, in: names).map { "did you mean \"\($0)\"?" } ?? "known: \(names.joined(separator: ", "))"
    return SourceProblem("there is no op \(JSONWriter.quoted(name)); \(hint)", at: op.range)
  }

  private func operation(
    _ name: OperationName, from reader: inout JSONObjectReader, phone: String
  ) -> Step.Operation? {
    switch name {
    case .device: return .device(DeviceProfile(from: &reader, phone: phone))
    case .register: return .register(frameworkError: reader.integer(StepKey.frameworkError))
    case .session: return .session(update(from: &reader))
    case .event:
      // Both are read, so that a bad name does not hide what is wrong with the rest.
      let update = update(from: &reader)
      guard let name = reader.string(StepKey.name) else {
        reader.complainUnless(StepKey.name)
        return nil
      }
      return .event(name: name, update)
    case .revenue: return revenue(from: &reader)
    case .details: return .details
    case .relaunch: return .relaunch
    case .update:
      let operation = Step.Operation.update(
        ios: reader.iosVersion("ios"), appVersion: reader.string("app_version"), snippet: reader.choice("snippet"))
      if !reader.has("ios"), !reader.has("app_version"), !reader.has("snippet") {
        reader.complain("an update needs at least one of \"ios\", \"app_version\", \"snippet\"")
      }
      return operation
    }
  }

  private func revenue(from reader: inout JSONObjectReader) -> Step.Operation? {
    let amount = reader.number(StepKey.amount)
    if amount == nil { reader.complainUnless(StepKey.amount) }
    if let amount, !Float(amount).isFinite {
      reader.complain("\"amount\" must fit a single-precision number (up to 3.4e38)", about: StepKey.amount)
    }
    var currency: String?
    if let node = reader.node(StepKey.currency) {
      if !node.isNull { currency = reader.string(StepKey.currency) }
    } else {
      reader.complain("a revenue step needs the key \"currency\" (null for none)")
    }
    let isAd = reader.bool(StepKey.adMonetization) ?? false
    return amount.map { .revenue(Step.Revenue(amount: $0, currency: currency, isAdMonetization: isAd)) }
  }

  private func update(from reader: inout JSONObjectReader) -> Step.Update {
    var update = Step.Update()
    if let node = reader.node(StepKey.answer) {
      var answer = JSONObjectReader(node, what: "an answer", known: AnswerForm.keys)
      update.answer = AnswerForm.read(&answer)
      reader.add(answer.problems)
    }
    if let content = reader.content(StepKey.took) {
      switch content {
      case .integer(let seconds) where seconds >= 0: update.took = TimeSpan(seconds: Double(seconds))
      case .double(let seconds) where seconds >= 0: update.took = TimeSpan(seconds: seconds)
      default: break
      }
      if update.took == nil { reader.complain(about: StepKey.took, expected: "a number of seconds, 0 or more") }
    }
    update.options = UpdateOptions(
      hasHandler: !(reader.bool(StepKey.noHandler) ?? false), frameworkError: reader.integer(StepKey.frameworkError))
    return update
  }

  private func time(from reader: inout JSONObjectReader) -> TimeSpec? {
    var time: TimeSpec?
    if let content = reader.content(StepKey.at) {
      switch content {
      case .integer(let seconds): time = Instant(unixSeconds: Double(seconds)).map(TimeSpec.at)
      case .double(let seconds): time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      case .string(let text): time = TimeSpec(at: text)
      default: break
      }
      if time == nil {
        reader.complain(
          about: StepKey.at,
          expected: "Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\"")
      }
    }
    if let content = reader.content(StepKey.after) {
      if reader.has(StepKey.at) {
        reader.complain("a step has \"at\" or \"after\", not both", about: StepKey.after)
      }
      if case .string(let text) = content, let span = TimeSpan(text: text) {
        time = time ?? .after(span)
      } else {
        reader.complain(about: StepKey.after, expected: "a duration such as \"2d3h\" (units ms s m h d)")
      }
    }
    return time
  }

  private func expectations(from reader: inout JSONObjectReader) -> [Expectation] {
    guard let node = reader.node(StepKey.expect) else { return [] }
    guard case .object(let members) = node.content else {
      reader.complain("\"expect\" must be an object of paths and values, this is \(node.kind)", about: StepKey.expect)
      return []
    }
    for member in members {
      if let problem = Expectation.problem(withPath: member.key) {
        reader.add([SourceProblem(problem, at: member.keyRange)])
      }
    }
    return members.map { Expectation(path: $0.key, expected: $0.value.value) }
  }
}

extension StepReader {
  /// The step of a line that stands alone.
  package static func read(_ line: some Collection<UInt8>) -> Result<Step, SourceProblems> {
    Array(line).withUnsafeBufferPointer { bytes in
      do throws(SourceProblems) { return .success(try StepReader().read(bytes)) } catch { return .failure(error) }
    }
  }
}

extension JSONObjectReader {
  /// Complains when a key that must be there is not; what is wrong with its value was told.
  fileprivate mutating func complainUnless(_ key: JSONKey) { _ = require(key, nil as String?) }
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
