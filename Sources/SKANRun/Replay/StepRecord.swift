import SKANBase
import SKANDevice
import SKANSystem
import Synchronization

/// The outcome of a step for reports, without the SDK key. It contains only what reports show, as a run may have a
/// million steps.
package struct StepRecord: Sendable, Equatable {
  /// A warning of level finding.
  package struct Finding: Sendable, Equatable {
    package var code: String
    package var message: String
  }

  /// A request of the step and its answer.
  package struct Exchange: Sendable, Equatable {
    /// The most bytes of a body that are kept.
    static let mostBytes = 300

    package var method: String
    /// The URL with its query.
    package var url: String
    /// The body of a POST.
    package var sent: String?
    /// The HTTP status; nil when no answer came.
    package var status: Int?
    package var contentType: String?
    /// The beginning of the answer's body, or why there is no answer.
    package var text: String
    /// The size of the whole body in bytes.
    package var size: Int
  }

  /// The step's index in its list, including steps of included lists.
  package var index: Int
  /// The list that contains the step, which may be an included one.
  package var file: String
  /// The line number, from 1.
  package var line: Int
  /// The phone's name; empty where the list names none.
  package var device = ""
  package var op: String
  /// A short description of the step: `event purchase`.
  package var name: String
  package var label: String?
  /// How the step ended; nil for a skipped step.
  package var outcome: Outcome?
  /// One sentence that explains the outcome, or the list's reason to skip the step.
  package var reason: String
  /// Whether a finding is a failure.
  package var isStrict = false
  package var findings: [Finding] = []
  /// The number of its expectations.
  package var expectations = 0
  /// The number of those for other phones, which were not checked.
  package var elsewhere = 0
  /// The expectations that were not met.
  package var failures: [Expectation.Verdict] = []
  /// The failure of a remote endpoint that fails the step.
  package var fault: EndpointFault?
  /// The requests and their answers, if the step has failed.
  package var exchanges: [Exchange] = []
  /// How long the step took in real time.
  package var time = TimeSpan.zero

  package var hasFailed: Bool { !failures.isEmpty || fault != nil || isStrict && !findings.isEmpty }
}

// MARK: The record of a step. Each text is redacted once, before reports cut, escape or lay it out.

extension StepRecord {
  /// The record of a step that ran.
  ///
  /// - Parameters:
  ///   - failures: the expectations that were not met.
  ///   - fault: the failure of a remote endpoint.
  ///   - expectations: the number of the step's expectations.
  ///   - elsewhere: the number of those for other phones.
  init(
    _ result: StepResult, _ failures: [Expectation.Verdict], _ fault: EndpointFault?, expectations: Int,
    elsewhere: Int = 0, at location: (file: String, line: Int), index: Int, _ settings: RunSettings
  ) {
    let (report, redactor) = (result.report, settings.redactor)
    self.init(result.step, report.outcome, report.explanation.description, at: location, index: index, redactor)
    isStrict = settings.isStrict
    findings = report.warnings.filter { $0.level == .finding }.map {
      Finding(code: $0.code, message: redactor.redacted($0.message))
    }
    self.expectations = expectations
    self.elsewhere = elsewhere
    self.failures = redactor.isEmpty ? failures : failures.map { $0.redacted(by: redactor) }
    self.fault = fault.map { EndpointFault(failure: $0.failure, reason: redactor.redacted($0.reason)) }
    if hasFailed { exchanges = Exchange.all(of: result, redactor) }
  }

  /// - Parameters:
  ///   - outcome: nil for a step that is skipped.
  ///   - reason: why it ended so, or is skipped.
  init(
    _ step: Step, _ outcome: Outcome?, _ reason: String, at location: (file: String, line: Int), index: Int,
    _ redactor: Redactor
  ) {
    self.init(
      index: index, file: redactor.redacted(location.file), line: location.line,
      device: redactor.redacted(step.device), op: step.operation.name, name: redactor.redacted(step.title),
      label: step.label.map(redactor.redacted), outcome: outcome, reason: redactor.redacted(reason))
  }
}

extension StepRecord.Exchange {
  /// The requests of a step and their answers: the update's, and the app server's.
  package static func all(of result: StepResult, _ redactor: Redactor) -> [Self] {
    let own = result.exchange.map { Self("GET", $0.url, $0.answer, $0.contentType, redactor) }
    let report = result.forwarded.map {
      Self(
        $0.request.method, $0.url, sent: $0.request.isPost ? $0.parameters.strictlyEncoded : nil, $0.answer,
        $0.contentType, redactor)
    }
    return [own, report].compactMap(\.self)
  }

  private init(
    _ method: String, _ url: String, sent: String? = nil, _ answer: EndpointAnswer, _ contentType: String?,
    _ redactor: Redactor
  ) {
    self.method = method
    self.url = redactor.redacted(url)
    self.sent = sent.map(redactor.redacted)
    self.contentType = contentType.map(redactor.redacted)
    switch answer {
    case .failure(let reason): (text, size) = (redactor.redacted(reason), 0)
    case .response(let status, let body):
      self.status = status
      text = redactor.redacted(String(decoding: body.prefix(Self.mostBytes), as: UTF8.self))
      size = body.count
    }
  }
}

extension Expectation.Verdict {
  fileprivate func redacted(by redactor: Redactor) -> Self {
    var verdict = self
    verdict.path = redactor.redacted(path)
    verdict.expected = expected.redacted(by: redactor)
    verdict.actual = actual.redacted(by: redactor)
    return verdict
  }
}

extension JSON {
  /// The value with all its texts redacted. A number that is a secret becomes a text, so that the result stays JSON.
  fileprivate func redacted(by redactor: Redactor) -> JSON {
    switch self {
    case .null, .bool: return self
    case .integer, .unsigned, .double:
      let text = JSONWriter.text(self)
      let redacted = redactor.redacted(text)
      return redacted.isLiterally(text) ? self : .string(redacted)
    case .string(let text): return .string(redactor.redacted(text))
    case .array(let items): return .array(items.map { $0.redacted(by: redactor) })
    case .object(let members):
      return .object(members.map { (redactor.redacted($0.key), $0.value.redacted(by: redactor)) })
    }
  }
}

// MARK: Reports

extension StepRecord {
  package var location: String { "\(file):\(line)" }

  /// The phone, a description of the step, and its label: `alice event purchase: first of the day`.
  var title: String {
    let device = device.isEmpty ? "" : "\(device.oneLine) "
    return device + name + (label.map { ": \($0.oneLine)" } ?? "")
  }

  /// Why it was skipped; nil when it ran.
  var skip: String? { outcome == nil ? reason : nil }

  /// The name of its outcome in results.
  var outcomeName: String { outcome?.name ?? SkippedStep.outcome }

  /// One sentence that explains the outcome.
  var explanation: String { outcome == nil ? "Skipped: \(reason.oneLine)" : reason }

  /// How a remote endpoint failed, where no failed expectation covers it.
  var faultLine: String? { failures.isEmpty ? fault.map { "the endpoint failed: \($0.reason)" } : nil }

  /// The first problem, in short.
  var summary: String {
    let more = FailureKind.all(of: self).count - 1
    return first + (more > 0 ? " (and \(more) more)" : "")
  }

  private var first: String {
    guard let failure = failures.first else { return faultLine ?? findingLines.first ?? "" }
    let found = failure.end == nil ? FailureKind.short(failure.actualText) : failure.actualText
    return "\(failure.path): expected \(FailureKind.short(JSONWriter.text(failure.expected))), got \(found)"
  }

  var findingLines: [String] { findings.map { "finding: \($0.message) [\($0.code)]" } }

  /// All problems, as a terminal shows them, and the ``end``.
  var account: [String] {
    failures.flatMap { ["\(location): expectation failed: \($0.path)"] + $0.difference }
      + (faultLine.map { ["\(location): \($0)"] } ?? []) + findingLines
      + sentence.map { "step: \($0)" } + exchangeLines
  }

  /// The outcome, the requests and the answers.
  var end: [String] { sentence + exchangeLines }

  /// The outcome and its explanation; empty where the failure of the endpoint is the same.
  private var sentence: [String] {
    guard let outcome else { return [] }
    let sentence = "\(outcome.name): \(reason)"
    return failures.isEmpty && fault?.reason == sentence ? [] : [sentence]
  }

  var exchangeLines: [String] {
    exchanges.flatMap { ["answer: \($0.answerText)", "request: \($0.requestText)"] }
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
}

// MARK: A line of a temporary file

extension StepRecord {
  /// The values of a line, which the initializer reads in the same order.
  ///
  /// Four of each unmet verdict come last, so that an expected value is in no more brackets than in its list, whose depth
  /// has a limit.
  private var items: [JSON] {
    let outcome: JSON = outcome.map { .integer(Int64($0.rawValue)) } ?? .null
    let fault: JSON? = fault.map {
      .object([("failure", .integer(Int64($0.failure.rawValue))), ("reason", .string($0.reason))])
    }
    var items: [JSON] = [
      .integer(Int64(index)), .integer(Int64(line)), .integer(Int64(expectations)), .integer(time.microseconds),
      .bool(isStrict), .string(file), .string(device), .string(op), .string(name), .optional(label), outcome,
      .string(reason), fault ?? .null, .array(findings.map { Self.findingFields.json($0) }),
      .array(exchanges.map(\.json)), .integer(Int64(elsewhere)),
    ]
    for failure in failures { items += failure.items }
    return items
  }

  /// Adds the record as a line.
  func appendLine(to bytes: inout [UInt8]) {
    JSONWriter.write(.array(items), layout: .line, into: &bytes)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Reads a line; nil for one that is not a record's.
  init?(_ line: ArraySlice<UInt8>) {
    guard let items = (try? JSONReader.read(line, dialect: .export))?.items, items.count >= 16,
      let index = items[0].whole, let line = items[1].whole, let expectations = items[2].whole,
      let time = items[3].whole, case .bool(let isStrict) = items[4].content, let file = items[5].content.text,
      let device = items[6].content.text, let op = items[7].content.text, let name = items[8].content.text,
      let reason = items[11].content.text, let findings = items[13].items, let exchanges = items[14].items,
      let elsewhere = items[15].whole
    else { return nil }
    self.init(
      index: index, file: file, line: line, device: device, op: op, name: name, label: items[9].content.text,
      outcome: items[10].whole.flatMap { Outcome(rawValue: UInt8(clamping: $0)) }, reason: reason, isStrict: isStrict,
      findings: findings.map { Finding(code: $0.text("code") ?? "", message: $0.text("message") ?? "") },
      expectations: expectations, elsewhere: elsewhere,
      failures: stride(from: 16, to: items.count - 3, by: 4).map {
        Expectation.Verdict(items[$0..<$0 + 4].map(\.value))
      },
      fault: items[12].integer("failure").flatMap { EndpointFailure(rawValue: UInt8(clamping: $0)) }.map {
        EndpointFault(failure: $0, reason: items[12].text("reason") ?? "")
      }, exchanges: exchanges.map(Exchange.init), time: TimeSpan(microseconds: Int64(time)))
  }
}

extension Expectation.Verdict {
  /// The four values of an unmet verdict in a line.
  fileprivate var items: [JSON] {
    [.string(path), expected, actual, end.map { .object([($0.path, .bool($0.isNull))]) } ?? .null]
  }

  fileprivate init(_ items: [JSON]) {
    let end = items[3].members?.first.map { End(path: $0.key, isNull: $0.value == .bool(true)) }
    self.init(path: items[0].text ?? "", expected: items[1], actual: items[2], end: end, isMet: false)
  }
}

extension StepRecord.Exchange {
  fileprivate init(_ node: JSONNode) {
    let (answer, request) = (node.member("answer"), node.member("request"))
    self.init(
      method: request?.text("method") ?? "", url: request?.text("url") ?? "", sent: request?.text("body"),
      status: answer?.integer("status").map(Int.init), contentType: answer?.text("content_type"),
      text: answer?.text("body") ?? answer?.text("error") ?? "", size: Int(answer?.integer("size") ?? 0))
  }
}

extension JSONNode {
  fileprivate var items: [JSONNode]? { if case .array(let items) = content { items } else { nil } }

  fileprivate var whole: Int? { if case .integer(let number) = content { Int(number) } else { nil } }
}

// MARK: The records of a list

/// The records of a list's steps in list order, stored outside memory when there are many.
package struct StepRecords: Sendable {
  package private(set) var counts = ReplayCounts()
  /// The last line of the list itself, not of an included one, that has a step.
  private(set) var lastLine = 0
  private let list: String
  /// The first part receives new records; the others come from other threads.
  private var parts: [RecordPart]

  /// - Parameters:
  ///   - list: the outermost list, without the SDK key.
  ///   - spool: stores the records.
  package init(of list: String, in spool: RecordSpool) {
    self.list = list
    parts = [RecordPart(in: spool)]
  }

  /// Adds a record, whose index is higher than that of the previous one.
  package mutating func append(_ step: StepRecord) throws(FileError) {
    try parts[0].append(step)
    counts.count(step)
    if step.file == list { lastLine = max(lastLine, step.line) }
  }

  /// Adds the records of the list's other steps, whose indices lie between those of these.
  package mutating func merge(_ other: StepRecords) {
    counts += other.counts
    lastLine = max(lastLine, other.lastLine)
    parts += other.parts
  }

  /// Stores all records; no more can be added.
  package mutating func finish() throws(FileError) { try parts[0].flush() }

  /// Passes each record to `body`, in list order.
  ///
  /// - Parameter failure: makes the error to throw when the records cannot be read back.
  package func forEach<Failure>(
    _ failure: (FileError) -> Failure, _ body: (StepRecord) throws(Failure) -> Void
  ) throws(Failure) {
    var cursors: [RecordCursor] = []
    do throws(FileError) { for part in parts { cursors.append(try RecordCursor(part)) } } catch { throw failure(error) }
    while let next = cursors.indices.min(by: { cursors[$0].precedes(cursors[$1]) }),
      let step = cursors[next].current
    {
      try body(step)
      do throws(FileError) { try cursors[next].advance() } catch { throw failure(error) }
    }
  }
}

/// The records that one thread made of a list's steps, in the order in which they ran, stored in blocks of lines.
private struct RecordPart: Sendable {
  /// The bytes of records that are read and written together.
  private static let blockSize = 1 << 16

  private let spool: RecordSpool
  private var blocks: [Range<Int>] = []
  /// The bytes of the last block.
  private var bytes: [UInt8] = []

  init(in spool: RecordSpool) { self.spool = spool }

  mutating func append(_ step: StepRecord) throws(FileError) {
    step.appendLine(to: &bytes)
    if bytes.count >= Self.blockSize { try flush() }
  }

  /// Stores the last block.
  mutating func flush() throws(FileError) {
    if bytes.isEmpty { return }
    blocks.append(try spool.append(bytes))
    bytes = []
  }

  /// The bytes of a block; the last one is still in memory. Nil beyond it.
  func block(_ number: Int) throws(FileError) -> [UInt8]? {
    number < blocks.count ? try spool.read(blocks[number]) : number == blocks.count ? bytes : nil
  }
}

/// Iterates over the records of a part.
private struct RecordCursor {
  private let part: RecordPart
  private var bytes: [UInt8] = []
  /// The offset of the next record.
  private var offset = 0
  private var block = 0
  /// The current record; nil after the last.
  private(set) var current: StepRecord?

  /// Starts at the first record.
  init(_ part: RecordPart) throws(FileError) {
    self.part = part
    try advance()
  }

  /// Moves to the next record.
  ///
  /// - Throws: also where a line is not a record, because the file was truncated or changed.
  mutating func advance() throws(FileError) {
    while offset == bytes.count {
      current = nil
      guard let next = try part.block(block) else { return }
      (bytes, offset, block) = (next, 0, block + 1)
    }
    guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")), let step = StepRecord(bytes[offset..<end])
    else { throw FileError(.read, "a temporary file", .inputOutput) }
    (current, offset) = (step, end + 1)
  }

  /// Whether this cursor is at an earlier step; the end comes after all steps.
  func precedes(_ other: RecordCursor) -> Bool { (current?.index ?? .max) < (other.current?.index ?? .max) }
}

/// Stores the records of a run's steps for all threads that run lists, so that a million of them take little memory.
package final class RecordSpool: Sendable {
  /// Bytes that stay in memory.
  private static let limit = 1 << 20

  private let file: Mutex<SpoolFile>

  /// Creates no file yet: a short run needs none.
  ///
  /// - Parameter directory: the directory for the file; nil for the system's temporary directory.
  package init(directory: String? = nil) { file = Mutex(SpoolFile(limit: Self.limit, directory: directory)) }

  /// Adds bytes and returns their range.
  func append(_ bytes: [UInt8]) throws(FileError) -> Range<Int> {
    try file.withLock { (file) throws(FileError) in try file.append(bytes) }
  }

  /// Reads the bytes of one ``append(_:)``.
  func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    try file.withLock { (file) throws(FileError) in try file.read(range) }
  }
}
