import SKANBase
import SKANDevice

/// Reads the lines of event lists, one at a time; see the manual, "Event lists".
package final class StepReader {
  /// Reads a line again for a message about it.
  private let document = JSONDocument()
  /// The members of the current line; its memory is reused for every line.
  private var line: JSONObjectReader
  /// This reader's own copies: threads that shared them would contend for their reference counts.
  private let operations = OperationSpec.all
  private let operationNames = JSONKeys(OperationSpec.names)

  package init() { line = JSONObjectReader(known: JSONKeys(StepKey.names, advice: OperationSpec.advice)) }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - step: receives the step, if the line is one.
  ///   - phones: the list's phones so far; a new one is added.
  /// - Throws: every problem of the line, with byte offsets in it.
  package func read(
    _ text: UnsafeBufferPointer<UInt8>, into step: inout Step, phones: NameTable
  ) throws(SourceProblems) -> ListEntry {
    do throws(JSONError) { try unsafe line.read(text, what: "a step") } catch {
      if error.problem != .comment { throw [SourceProblem(error)] }
      let message = "a comment must be on its own line, and # must be the first character"
      throw [SourceProblem(message, at: error.offset..<error.offset + 1)]
    }
    return try read(&line, into: &step, phones: phones)
  }

  private func read(
    _ reader: inout JSONObjectReader, into step: inout Step, phones: NameTable
  ) throws(SourceProblems) -> ListEntry {
    guard reader.isObject else {
      let problems = reader.problems
      guard case .array(let items) = reader.object.content, items.first?.isObject ?? false else {
        throw SourceProblems(problems)
      }
      let message = "this is an array of steps; a list has one step per line; jq -c '.[]' FILE converts it"
      throw [SourceProblem(message, at: 0..<1)]
    }
    guard let index = reader.name(at: StepKey.op.rawValue, among: operationNames) else {
      throw [problem(withOperationOf: reader)]
    }
    reader.allow(operations[index].allowed, what: operations[index].subject)
    if !operations[index].takesPhone { return try include(from: &reader, into: &step) }
    // The common keys come first, so that a problem with the operation does not hide theirs.
    step.phone = reader.string(at: StepKey.device.rawValue, in: phones) ?? phones.insert("")
    if step.phones !== phones { step.phones = phones }
    let label = reader.string(at: .label)
    let skip = skip(from: &reader)
    step.time = time(from: &reader)
    step.annotate(label: label, skip: skip, expectations: expectations(from: &reader))
    operations[index].decode(&reader, &step)
    if !reader.problems.isEmpty { throw SourceProblems(reader.problems) }
    return .step
  }

  /// The phone that a line with a mistake declares, as far as it is known.
  enum Declaration {
    case none
    case phone(String)
    /// The line cannot be read so far, or stands for other lines.
    case perhaps
  }

  /// The phone that a line declares, as far as the line can be read.
  func declaration(in line: UnsafeBufferPointer<UInt8>) -> Declaration {
    guard unsafe (try? document.read(line)) != nil, let op = document.root.text("op") else { return .perhaps }
    switch OperationSpec.names.contains(op) ? op : nearestName(to: op, in: OperationSpec.names) {
    case OperationSpec.device.name:
      guard let device = document.root.member("device") else { return .phone("") }
      guard case .string(let name) = device.content, !name.contains("${") else { return .perhaps }
      return .phone(name)
    case OperationSpec.include.name, nil: return .perhaps
    case .some: return .none
    }
  }

  /// The phone of a line's step; nil for an `include` or an invalid line.
  func phoneName(in line: UnsafeBufferPointer<UInt8>) -> String? {
    guard unsafe (try? document.read(line)) != nil, document.root.isObject else { return nil }
    if document.root.member("op")?.value == .string("include"), document.root.member("skip") == nil { return nil }
    switch document.root.member("device")?.content {
    case nil: return ""
    case .string(let name)?: return name
    default: return nil
    }
  }

  /// The location of a key's value, for a message about it.
  func range(of key: String, in line: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard unsafe (try? document.read(line)) != nil else { return 0..<line.count }
    return document.root.member(key)?.range ?? 0..<line.count
  }

  private func include(
    from reader: inout JSONObjectReader, into step: inout Step
  ) throws(SourceProblems) -> ListEntry {
    var included = Step(.details)
    OperationSpec.include.decode(&reader, &included)
    included.annotate(skip: skip(from: &reader))
    guard case .include(let file) = included.operation, reader.problems.isEmpty else {
      throw SourceProblems(reader.problems)
    }
    if included.skip == nil { return .include(file, at: reader.node(at: .file)?.range ?? 0..<1) }
    step = included
    return .step
  }

  private func skip(from reader: inout JSONObjectReader) -> String? {
    let reason = reader.string(at: .skip)
    if reason?.isEmpty ?? false { reader.complain("\"skip\" must say why", about: "skip") }
    return reason
  }

  private func problem(withOperationOf reader: JSONObjectReader) -> SourceProblem {
    let names = OperationSpec.names
    guard let op = reader.node(at: .op) else {
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

  private func expectations(from reader: inout JSONObjectReader) -> [Expectation] {
    guard let node = reader.node(at: .expect) else { return [] }
    guard case .array(let nodes) = node.content else { return expectations(in: node, from: &reader) }
    if nodes.isEmpty { reader.complain("\"expect\" is an empty list", about: "expect") }
    var all: [Expectation] = []
    for node in nodes { all += expectations(in: node, from: &reader) }
    return all
  }

  /// Reads an object of paths and values, which may have the key `when`.
  private func expectations(in node: JSONNode, from reader: inout JSONObjectReader) -> [Expectation] {
    guard case .object(var members) = node.content else {
      reader.complain("\"expect\" must be an object of paths and values, this is \(node.kind)", about: "expect")
      return []
    }
    var condition: PhoneCondition?
    if let index = members.firstIndex(where: { $0.key == "when" }) {
      condition = PhoneCondition(members.remove(at: index).value, in: &reader)
    }
    for member in members where !reader.isFull {
      reader.add(Expectation.problems(withPath: member.key, at: member.keyRange, expecting: member.value))
    }
    return members.map { Expectation(path: $0.key, expected: $0.value.value, on: condition) }
  }
}

/// The content of a line of a list.
package enum ListEntry: Sendable, Equatable {
  /// A step, or a skipped `include`.
  case step
  /// Another list in place of the line, and the location of its name.
  case include(String, at: Range<Int>)
  /// A blank line or a comment.
  case nothing
}

/// The keys of a step apart from those of a phone's profile, in the order in which they are written. The raw value is
/// the index in ``names``.
enum StepKey: Int, CaseIterable {
  case op, at, after, device, label, expect, skip, name, answer, took, completionTook, frameworkError, noHandler,
    amount, currency
  case adMonetization, file, forward, kind, api, post, stale, parameters, reapply
  case fine, coarse, lock, types, tag, url, eligible, network, sourceIdentifier, appId, publisherId, marketplace, tier
  case country, seconds, redownload, interaction, conversion, tiers

  /// The keys that every step may have.
  static let common: [StepKey] = [.op, .at, .after, .device, .label, .expect, .skip]

  /// Every key of a step as written, followed by those of a phone's profile.
  static let names = allCases.map { String(describing: $0).snakeCased } + DeviceProfile.keys

  /// The key as written: `framework_error`.
  var text: String { Self.names[rawValue] }
}

/// Members of a step by ``StepKey``.
extension JSONObjectReader {
  @inline(__always) func has(at key: StepKey) -> Bool { has(at: key.rawValue) }

  @inline(__always) func node(at key: StepKey) -> JSONNode? { node(at: key.rawValue) }

  @inline(__always) mutating func string(at key: StepKey) -> String? { string(at: key.rawValue) }

  @inline(__always) mutating func bool(at key: StepKey) -> Bool? { bool(at: key.rawValue) }

  @inline(__always) mutating func integer(at key: StepKey) -> Int64? { integer(at: key.rawValue) }

  @inline(__always) mutating func number(at key: StepKey) -> Double? { number(at: key.rawValue) }

  @inline(__always) mutating func require(at key: StepKey) { require(at: key.rawValue) }

  @inline(__always) mutating func complain(at key: StepKey, expected: String, hint: String = "") {
    complain(at: key.rawValue, expected: expected, hint: hint)
  }
}

extension StepReader {
  /// The time of a step; nil when it has none.
  func time(from reader: inout JSONObjectReader) -> TimeSpec? {
    var time: TimeSpec?
    if reader.has(at: .at) {
      if let seconds = reader.integerIfAny(at: StepKey.at.rawValue) {
        time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      } else if let seconds = reader.numberIfAny(at: StepKey.at.rawValue) {
        time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      } else if case .string(let text)? = reader.node(at: .at)?.content {
        time = TimeSpec(at: text)
      }
      if time == nil {
        let hint =
          switch reader.node(at: .at)?.content {
          case .string(let text)?: TimeHint.message(text)
          default: reader.numberIfAny(at: StepKey.at.rawValue).map { TimeHint.message($0) } ?? ""
          }
        reader.complain(
          at: .at,
          expected: "Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\"", hint: hint)
      }
    }
    if reader.has(at: .after) {
      if reader.has(at: .at) {
        reader.complain("a step has \"at\" or \"after\", not both", about: "after")
      }
      if let span = reader.span(at: .after) {
        time = time ?? .after(span)
      } else {
        reader.complain(
          at: .after, expected: "seconds, 0 or more, or a duration such as \"2d3h\" (units ms s m h d)")
      }
    }
    return time
  }
}

extension JSONObjectReader {
  /// Reads seconds as a number, or a duration with units.
  func span(at key: StepKey) -> TimeSpan? {
    if let seconds = numberIfAny(at: key.rawValue) { return seconds >= 0 ? TimeSpan(seconds: seconds) : nil }
    if case .string(let text)? = node(at: key)?.content { return TimeSpan(text: text) }
    return nil
  }
}

extension TimeSpec {
  /// Parses `+DURATION` or an ISO 8601 instant.
  package init?(at text: String) {
    if text.hasPrefix("+") {
      guard let span = TimeSpan(text: String(text.dropFirst())) else { return nil }
      self = .sinceFirst(span)
    } else {
      guard let instant = Instant(iso8601: text) else { return nil }
      self = .at(instant)
    }
  }

  /// The key and the text that express this time in a step; nil for ``now``, which a list cannot express.
  var member: (key: StepKey, text: String)? {
    switch self {
    case .at(let instant): (.at, instant.description)
    case .sinceFirst(let span): (.at, "+\(span.listText)")
    case .after(let span): (.after, span.listText)
    case .now: nil
    }
  }
}

extension TimeSpan {
  /// Text that reads back as exactly this span of 0 or more: `2d3h`, or seconds for a fraction, because adding several
  /// units may round it.
  var listText: String {
    microseconds % 1_000_000 == 0 ? description : "\(decimal(digits: 6))s"
  }

  /// Seconds in decimal notation; 0 for a negative span, as when a clock was set back.
  ///
  /// - Parameter digits: the number of decimals, at most 6; with 6 the text is exact.
  func decimal(digits: Int) -> String {
    let unit = (digits..<6).reduce(1 as Int64) { unit, _ in unit * 10 }
    let perSecond = 1_000_000 / unit
    let count = (max(0, microseconds) + unit / 2) / unit
    return "\(count / perSecond).\(String(count % perSecond).leftPadded(to: digits, with: "0"))"
  }
}

/// Hints for a text that is not a time.
package enum TimeHint {
  /// Text to append to a message; empty when there is no hint.
  package static func message(_ text: String) -> String {
    if let number = Double(text) { return message(number) }
    // A date alone means midnight.
    for suffix in ["Z", ":00Z", "T00:00:00Z"] where Instant(iso8601: text + suffix) != nil {
      return "; a time zone is missing: \(text)\(suffix) is UTC"
    }
    let joined = text.replacing(" ", with: "T", maxReplacements: 1)
    for suffix in ["", "Z"] where Instant(iso8601: joined + suffix) != nil {
      return "; did you mean \(joined)\(suffix)?"
    }
    return ""
  }

  package static func message(_ number: Double) -> String {
    guard number >= 1e12, number < 1e15, Instant(unixSeconds: number) == nil else { return "" }
    return "; are these milliseconds? In seconds it is \((number / 1000).jsonText)"
  }
}
