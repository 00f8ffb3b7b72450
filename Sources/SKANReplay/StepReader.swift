import SKANDevice
import SKANJSON

/// Reads one line of an event list; see the README, "Event lists".
package enum StepReader {
  static let commonKeys = ["op", "at", "after", "device", "label", "expect"]
  static let updateKeys = ["answer", "took", "framework_error", "no_handler"]
  static let ownKeys: [String: [String]] = [
    "device": DeviceProfile.keys, "register": ["framework_error"], "session": updateKeys,
    "event": ["name"] + updateKeys, "revenue": ["amount", "currency", "ad_monetization"], "details": [],
    "relaunch": [], "update": ["ios", "app_version", "snippet"],
  ]
  static let operations = ["device", "register", "session", "event", "revenue", "details", "relaunch", "update"]

  /// The step that a line holds.
  ///
  /// - Returns: the step, or every problem of the line with byte offsets in it.
  package static func read(_ line: some Collection<UInt8>) -> Result<Step, SourceProblems> {
    let node: JSONNode
    do throws(JSONError) { node = try JSONReader.read(line) } catch { return .failure([SourceProblem(error)]) }
    guard case .object = node.content else {
      return .failure([SourceProblem("a step must be an object, this is \(node.kind)", at: node.range)])
    }
    guard let op = node.member("op") else {
      return .failure([SourceProblem("a step needs the key \"op\": one of \(list(operations))", at: node.range)])
    }
    guard case .string(let name) = op.content, let keys = ownKeys[name] else { return .failure([problem(with: op)]) }
    var reader = JSONObjectReader(node, what: "a step with op \"\(name)\"", known: commonKeys + keys)
    // The common keys first, so that a problem with the operation does not hide theirs.
    let device = reader.string("device") ?? ""
    let label = reader.string("label")
    let time = time(from: &reader)
    let expectations = expectations(from: &reader)
    let step = operation(name, from: &reader, source: line).map { operation in
      var step = Step(operation, time: time)
      step.device = device
      step.label = label
      step.expectations = expectations
      return step
    }
    guard let step, reader.problems.isEmpty else { return .failure(SourceProblems(reader.problems)) }
    return .success(step)
  }

  private static func problem(with op: JSONNode) -> SourceProblem {
    guard case .string(let name) = op.content else {
      return SourceProblem("\"op\" must be a string, this is \(op.briefly)", at: op.range)
    }
    if name == "postbacks" {
      return SourceProblem(
        "the op \"postbacks\" is not built yet: Apple's framework comes with a later version", at: op.range)
    }
    let hint = nearestName(to: name, in: operations).map { "did you mean \"\($0)\"?" } ?? "known: \(list(operations))"
    return SourceProblem("there is no op \(JSONWriter.quoted(name)); \(hint)", at: op.range)
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  private static func operation(
    _ name: String, from reader: inout JSONObjectReader, source: some Collection<UInt8>
  ) -> Step.Operation? {
    switch name {
    case "device":
      let phone: String = if case .string(let text) = reader.node("device")?.content { text } else { "" }
      return .device(DeviceProfile(from: &reader, phone: phone))
    case "register": return .register(frameworkError: reader.integer("framework_error"))
    case "session": return .session(update(from: &reader, source: source))
    case "event":
      // Both are read, so that a bad name does not hide what is wrong with the rest.
      let update = update(from: &reader, source: source)
      return reader.require("name", reader.string("name")).map { .event(name: $0, update) }
    case "revenue": return revenue(from: &reader)
    case "details": return .details
    case "relaunch": return .relaunch
    default:
      let operation = Step.Operation.update(
        ios: reader.iosVersion("ios"), appVersion: reader.string("app_version"), snippet: reader.choice("snippet"))
      if ["ios", "app_version", "snippet"].allSatisfy({ reader.node($0) == nil }) {
        reader.complain("an update needs at least one of \"ios\", \"app_version\", \"snippet\"")
      }
      return operation
    }
  }

  private static func revenue(from reader: inout JSONObjectReader) -> Step.Operation? {
    let amount = reader.number("amount")
    _ = reader.require("amount", amount)
    if let amount, !Float(amount).isFinite {
      reader.complain("\"amount\" must fit a single-precision number (up to 3.4e38)", about: "amount")
    }
    var currency: String?
    switch reader.node("currency")?.content {
    case nil: reader.complain("a revenue step needs the key \"currency\" (null for none)")
    case .null: break
    default: currency = reader.string("currency")
    }
    let isAd = reader.bool("ad_monetization") ?? false
    return amount.map { .revenue(Step.Revenue(amount: $0, currency: currency, isAdMonetization: isAd)) }
  }

  private static func update(from reader: inout JSONObjectReader, source: some Collection<UInt8>) -> Step.Update {
    var update = Step.Update()
    update.answer = reader.node("answer").flatMap { node in
      var answer = JSONObjectReader(node, what: "an answer", known: AnswerForm.keys)
      defer { reader.add(answer.problems) }
      return AnswerForm.read(&answer, source: source)
    }
    update.took = reader.read("took", "a number of seconds, 0 or more") { content in
      switch content {
      case .integer(let seconds): seconds >= 0 ? TimeSpan(seconds: Double(seconds)) : nil
      case .double(let seconds): seconds >= 0 ? TimeSpan(seconds: seconds) : nil
      default: nil
      }
    }
    update.options = UpdateOptions(
      hasHandler: !(reader.bool("no_handler") ?? false), frameworkError: reader.integer("framework_error"))
    return update
  }

  private static func time(from reader: inout JSONObjectReader) -> TimeSpec? {
    if reader.node("at") != nil, reader.node("after") != nil {
      reader.complain("a step has \"at\" or \"after\", not both", about: "after")
    }
    let at = reader.read(
      "at", "Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\""
    ) { content -> TimeSpec? in
      switch content {
      case .integer(let seconds): Instant(unixSeconds: Double(seconds)).map(TimeSpec.at)
      case .double(let seconds): Instant(unixSeconds: seconds).map(TimeSpec.at)
      case .string(let text): TimeSpec(at: text)
      default: nil
      }
    }
    let after = reader.read("after", "a duration such as \"2d3h\" (units ms s m h d)") { content -> TimeSpec? in
      if case .string(let text) = content { TimeSpan(text: text).map(TimeSpec.after) } else { nil }
    }
    return at ?? after
  }

  private static func expectations(from reader: inout JSONObjectReader) -> [Expectation] {
    guard let node = reader.node("expect") else { return [] }
    guard case .object(let members) = node.content else {
      reader.complain("\"expect\" must be an object of paths and values, this is \(node.kind)", about: "expect")
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
