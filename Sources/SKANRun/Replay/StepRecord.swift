import SKANBase
import SKANDevice

/// The outcome of a step, for reports. It contains only what reports show, as a run may have a million steps.
package struct StepRecord: Sendable, Equatable {
  /// How a step ended.
  package enum Fate: Sendable, Equatable {
    case ran(Outcome, explanation: String)
    case skipped(reason: String)
  }

  /// A warning of level finding.
  package struct Finding: Sendable, Equatable {
    package var code: String
    package var message: String

    init(code: String, message: String) {
      self.code = code
      self.message = message
    }

    package init(_ warning: Warning) { self.init(code: warning.code, message: warning.message) }
  }

  /// A request of the step and its answer.
  package struct Exchange: Sendable, Equatable {
    /// The most bytes of a body that are kept.
    static let mostBytes = 300

    package var method: String
    /// The URL with its query; the SDK key reads `REDACTED`.
    package var url: String
    /// The body of a POST; the SDK key reads `REDACTED`.
    package var sent: String?
    /// The HTTP status; nil when no answer came.
    package var status: Int?
    package var contentType: String?
    /// The beginning of the answer's body, or why there is no answer.
    package var text: String
    /// The size of the whole body in bytes.
    package var size: Int
  }

  /// The list that contains the step, which may be an included one.
  package var file: String
  /// The line number, from 1.
  package var line: Int
  /// The phone's name; empty where the list names none.
  package var device: String
  package var op: String
  /// A short description of the step: `event purchase`.
  package var name: String
  package var label: String?
  package var fate: Fate
  package var findings: [Finding] = []
  /// The number of its expectations.
  package var expectations = 0
  /// The expectations that were not met.
  package var failures: [Expectation.Verdict] = []
  /// The failure of a remote endpoint that fails the step.
  package var fault: EndpointFault?
  /// The requests and their answers, if the step has a problem.
  package var exchanges: [Exchange] = []
  /// How long the step took in real time.
  package var time = TimeSpan.zero

  /// - Parameter isStrict: whether a finding is a failure.
  package func hasFailed(isStrict: Bool) -> Bool {
    !failures.isEmpty || fault != nil || isStrict && !findings.isEmpty
  }

  package init(
    file: String, line: Int, device: String = "", op: String, name: String, label: String? = nil, fate: Fate
  ) {
    self.file = file
    self.line = line
    self.device = device
    self.op = op
    self.name = name
    self.label = label
    self.fate = fate
  }
}

extension StepRecord.Exchange {
  /// The answer in reports: `HTTP 500, text/html: <html>…`.
  package var answerText: String {
    guard let status else { return "none: \(text.oneLine)" }
    let head = "HTTP \(status)\(contentType.map { ", \($0.oneLine)" } ?? "")"
    if size == 0 { return "\(head), empty body" }
    return "\(head): \(text.oneLine)\(size > Self.mostBytes ? "… (\(size) bytes)" : "")"
  }

  package var requestText: String { "\(method) \(url)\(sent.map { " with \($0)" } ?? "")" }

  fileprivate init(
    _ method: String, _ url: String, sent: String? = nil, _ answer: EndpointAnswer, _ contentType: String?
  ) {
    (self.method, self.url, self.sent, self.contentType) = (method, url, sent, contentType)
    switch answer {
    case .failure(let reason): (text, size) = (reason, 0)
    case .response(let status, let body):
      self.status = status
      text = String(decoding: body.prefix(Self.mostBytes), as: UTF8.self)
      size = body.count
    }
  }
}

extension StepResult {
  /// The requests of the step and their answers: the update's, and the app server's.
  package var recordedExchanges: [StepRecord.Exchange] {
    let own = exchange.map { StepRecord.Exchange("GET", $0.url, $0.answer, $0.contentType) }
    let report = forwarded.map {
      StepRecord.Exchange(
        $0.request.method, $0.url, sent: $0.request.isPost ? $0.parameters.strictlyEncoded : nil, $0.answer,
        $0.contentType)
    }
    return [own, report].compactMap(\.self)
  }
}

/// Encodes records as bytes.
extension ByteWriter {
  /// Adds a record.
  ///
  /// - Parameters:
  ///   - index: the step's index in its list, including steps of included lists.
  ///   - file: the index of ``StepRecord/file`` among the files.
  mutating func put(_ step: StepRecord, index: Int, file: Int) {
    put(index)
    put(file)
    put(step.line)
    put(step.device)
    put(step.op)
    put(step.name)
    put(step.label) { $0.put($1) }
    put(step.expectations)
    put(Int(step.time.microseconds))
    switch step.fate {
    case .ran(let outcome, let explanation):
      put(fixed: outcome.rawValue)
      put(explanation)
    case .skipped(let reason):
      put(fixed: StepRecord.skipped)
      put(reason)
    }
    put(all: step.findings) { writer, finding in
      writer.put(finding.code)
      writer.put(finding.message)
    }
    put(all: step.failures) { $0.put($1) }
    put(fixed: step.fault?.failure.rawValue ?? 0)
    if let fault = step.fault { put(fault.reason) }
    put(all: step.exchanges) { $0.put($1) }
  }

  private mutating func put(_ exchange: StepRecord.Exchange) {
    put(exchange.method)
    put(exchange.url)
    put(exchange.sent) { $0.put($1) }
    put(exchange.status ?? 0)
    put(exchange.contentType) { $0.put($1) }
    put(exchange.text)
    put(exchange.size)
  }

  private mutating func put(_ verdict: Expectation.Verdict) {
    put(verdict.path)
    put(verdict.expected)
    put(verdict.actual)
    put(verdict.isMet)
    put(verdict.end) { writer, end in
      writer.put(end.path)
      writer.put(end.isNull)
    }
  }

  /// Adds a value after the number of its kind.
  private mutating func put(_ value: JSON) {
    func kind(_ kind: JSONKind) { put(fixed: kind.rawValue) }
    switch value {
    case .null: kind(.null)
    case .bool(let flag):
      kind(.bool)
      put(flag)
    case .integer(let number):
      kind(.integer)
      put(UInt64(bitPattern: number))
    case .unsigned(let number):
      kind(.unsigned)
      put(number)
    case .double(let number):
      kind(.double)
      put(number)
    case .string(let text):
      kind(.string)
      put(text)
    case .array(let items):
      kind(.array)
      put(all: items) { $0.put($1) }
    case .object(let members):
      kind(.object)
      put(all: members) { writer, member in
        writer.put(member.key)
        writer.put(member.value)
      }
    }
  }
}

extension ByteReader {
  /// Reads the next record and its index.
  ///
  /// - Parameter files: the files to which the indices in records refer.
  mutating func step(files: [String]) -> (index: Int, step: StepRecord) {
    let (index, file) = (number(), number())
    if !files.indices.contains(file) { fail() }
    var step = StepRecord(
      file: isBroken ? "" : files[file], line: number(), device: text(), op: text(), name: text(),
      label: optional { $0.text() }, fate: .skipped(reason: ""))
    step.expectations = number()
    step.time = TimeSpan(microseconds: Int64(number()))
    step.fate = fate()
    step.findings = all { StepRecord.Finding(code: $0.text(), message: $0.text()) }
    step.failures = all { $0.verdict() }
    step.fault = EndpointFailure(rawValue: fixed()).map { EndpointFault(failure: $0, reason: text()) }
    step.exchanges = all { $0.exchange() }
    return (index, step)
  }

  private mutating func fate() -> StepRecord.Fate {
    let code = fixed(UInt8.self)
    let text = text()
    if let outcome = Outcome(rawValue: code) { return .ran(outcome, explanation: text) }
    if code != StepRecord.skipped { fail() }
    return .skipped(reason: text)
  }

  private mutating func exchange() -> StepRecord.Exchange {
    let (method, url, sent, status) = (text(), text(), optional { $0.text() }, number())
    return StepRecord.Exchange(
      method: method, url: url, sent: sent, status: status == 0 ? nil : status, contentType: optional { $0.text() },
      text: text(), size: number())
  }

  private mutating func verdict() -> Expectation.Verdict {
    var verdict = Expectation.Verdict(path: text(), expected: value(), actual: value(), isMet: flag())
    verdict.end = optional { Expectation.Verdict.End(path: $0.text(), isNull: $0.flag()) }
    return verdict
  }

  private mutating func value() -> JSON {
    switch JSONKind(rawValue: fixed()) {
    case .null: return .null
    case .bool: return .bool(flag())
    case .integer: return .integer(Int64(bitPattern: word()))
    case .unsigned: return .unsigned(word())
    case .double: return .double(double())
    case .string: return .string(text())
    case .array: return .array(all { $0.value() })
    case .object: return .object(all { ($0.text(), $0.value()) })
    case nil:
      fail()
      return .null
    }
  }
}

extension StepRecord {
  /// Encodes a skipped step, in place of an outcome.
  fileprivate static let skipped: UInt8 = 255
}

private enum JSONKind: UInt8 {
  case null, bool, integer, unsigned, double, string, array, object
}
