import SKANDevice
import SKANBase

/// Writes records of steps in a short form, which ``RecordReader`` reads: numbers of seven bits a byte, texts behind their
/// lengths.
struct RecordWriter {
  private(set) var bytes: [UInt8] = []

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - index: of the step among those of its list, included ones counted.
  ///   - file: the index of ``StepRecord/file`` among the files.
  mutating func append(_ step: StepRecord, index: Int, file: Int) {
    append(index)
    append(file)
    append(step.line)
    append(step.device)
    append(step.op)
    append(step.name)
    append(step.label)
    append(step.expectations)
    append(Int(step.time.microseconds))
    switch step.fate {
    case .ran(let outcome, let explanation):
      bytes.append(outcome.rawValue)
      append(explanation)
    case .skipped(let reason):
      bytes.append(Self.skipped)
      append(reason)
    }
    append(step.findings.count)
    for finding in step.findings {
      append(finding.code)
      append(finding.message)
    }
    append(step.failures.count)
    for failure in step.failures { append(failure) }
    bytes.append(step.fault?.failure.rawValue ?? 0)
    if let fault = step.fault { append(fault.reason) }
    append(step.exchanges.count)
    for exchange in step.exchanges { append(exchange) }
  }

  /// In the place of an outcome.
  static let skipped: UInt8 = 255

  private mutating func append(_ exchange: StepRecord.Exchange) {
    append(exchange.method)
    append(exchange.url)
    append(exchange.sent)
    append(exchange.status ?? 0)
    append(exchange.contentType)
    append(exchange.text)
    append(exchange.size)
  }

  private mutating func append(_ verdict: Expectation.Verdict) {
    append(verdict.path)
    append(verdict.expected)
    append(verdict.actual)
    append(verdict.isMet)
    append(verdict.end?.path)
    if let end = verdict.end { append(end.isNull) }
  }

  /// A value with its tag.
  private mutating func append(_ value: JSON) {
    bytes.append(RecordTag(value).rawValue)
    switch value {
    case .null: break
    case .bool(let flag): append(flag)
    case .integer(let number): append(UInt64(bitPattern: number))
    case .unsigned(let number): append(number)
    case .double(let number): append(number.bitPattern)
    case .string(let text): append(text)
    case .array(let items):
      append(items.count)
      for item in items { append(item) }
    case .object(let members):
      append(members.count)
      for member in members {
        append(member.key)
        append(member.value)
      }
    }
  }

  private mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  private mutating func append(_ text: String?) {
    append(text != nil)
    if let text { append(text) }
  }

  private mutating func append(_ text: String) {
    append(text.utf8.count)
    bytes += text.utf8
  }

  private mutating func append(_ number: Int) { append(UInt64(bitPattern: Int64(number))) }

  private mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

/// What kind of value follows.
enum RecordTag: UInt8 {
  case null, bool, integer, unsigned, double, string, array, object

  init(_ value: JSON) {
    self =
      switch value {
      case .null: .null
      case .bool: .bool
      case .integer: .integer
      case .unsigned: .unsigned
      case .double: .double
      case .string: .string
      case .array: .array
      case .object: .object
      }
  }
}
