import SKANBase
import SKANDevice

/// Records of steps as bytes, as they are set aside.
extension ByteWriter {
  /// Adds a record.
  ///
  /// - Parameters:
  ///   - index: of the step among those of its list, included ones counted.
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

  /// A value behind the number of its kind.
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
  /// The next record and its index.
  ///
  /// - Parameter files: those that records name by their indices.
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
  /// In the place of an outcome.
  fileprivate static let skipped: UInt8 = 255
}

private enum JSONKind: UInt8 {
  case null, bool, integer, unsigned, double, string, array, object
}
