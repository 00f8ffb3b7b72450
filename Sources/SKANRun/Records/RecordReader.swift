import SKANDevice
import SKANBase

/// Reads what ``RecordWriter`` wrote.
struct RecordReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether the bytes are not those of records: they were lost, or changed by others.
  private(set) var isBroken = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next record and its index; nil behind the last, and where ``isBroken``.
  ///
  /// - Parameter files: those that records name by their indices.
  mutating func next(files: [String]) -> (index: Int, step: StepRecord)? {
    guard !isBroken, position < bytes.count else { return nil }
    let index = number()
    let file = number()
    guard files.indices.contains(file) else {
      isBroken = true
      return nil
    }
    var step = StepRecord(
      file: files[file], line: number(), device: text(), op: text(), name: text(), label: optionalText(),
      fate: .skipped(reason: ""))
    step.expectations = number()
    step.time = TimeSpan(microseconds: Int64(number()))
    step.fate = fate()
    step.findings = items { StepRecord.Finding(code: $0.text(), message: $0.text()) }
    step.failures = items { $0.verdict() }
    step.fault = EndpointFailure(rawValue: byte()).map { EndpointFault(failure: $0, reason: text()) }
    step.exchanges = items { $0.exchange() }
    return isBroken ? nil : (index, step)
  }

  private mutating func fate() -> StepRecord.Fate {
    let code = byte()
    let text = text()
    if let outcome = Outcome(rawValue: code) { return .ran(outcome, explanation: text) }
    if code != RecordWriter.skipped { isBroken = true }
    return .skipped(reason: text)
  }

  private mutating func exchange() -> StepRecord.Exchange {
    let (method, url, sent, status) = (text(), text(), optionalText(), number())
    return StepRecord.Exchange(
      method: method, url: url, sent: sent, status: status == 0 ? nil : status, contentType: optionalText(),
      text: text(), size: number())
  }

  private mutating func verdict() -> Expectation.Verdict {
    var verdict = Expectation.Verdict(path: text(), expected: value(), actual: value(), isMet: flag())
    verdict.end = optionalText().map { Expectation.Verdict.End(path: $0, isNull: flag()) }
    return verdict
  }

  private mutating func value() -> JSON {
    switch RecordTag(rawValue: byte()) {
    case .null: return .null
    case .bool: return .bool(flag())
    case .integer: return .integer(Int64(bitPattern: word()))
    case .unsigned: return .unsigned(word())
    case .double: return .double(Double(bitPattern: word()))
    case .string: return .string(text())
    case .array: return .array(items { $0.value() })
    case .object: return .object(items { ($0.text(), $0.value()) })
    case nil:
      isBroken = true
      return .null
    }
  }

  private mutating func items<Item>(_ item: (inout Self) -> Item) -> [Item] {
    let count = number()
    if count == 0 { return [] }
    var items: [Item] = []
    while items.count < count, !isBroken { items.append(item(&self)) }
    return items
  }

  private mutating func flag() -> Bool { byte() != 0 }

  private mutating func optionalText() -> String? { flag() ? text() : nil }

  private mutating func text() -> String {
    let count = number()
    guard count >= 0, count <= bytes.count - position else {
      isBroken = true
      return ""
    }
    position += count
    return String(decoding: bytes[position - count..<position], as: UTF8.self)
  }

  private mutating func number() -> Int { Int(truncatingIfNeeded: word()) }

  private mutating func word() -> UInt64 {
    var (result, shift) = (UInt64(0), UInt64(0))
    while !isBroken {
      let next = byte()
      result |= UInt64(next & 0x7F) << shift
      if next < 0x80 { break }
      shift += 7
      // Behind the last of a word's bits.
      if shift > 63 { isBroken = true }
    }
    return result
  }

  private mutating func byte() -> UInt8 {
    guard position < bytes.count else {
      isBroken = true
      return 0
    }
    position += 1
    return bytes[position - 1]
  }
}
