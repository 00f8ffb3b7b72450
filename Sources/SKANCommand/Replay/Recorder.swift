import SKANDevice
import SKANRun

/// Writes a list again, with the answers that came in the steps that asked an endpoint: the recording runs without one.
/// What a line says already stays as it is written there, variables too.
struct Recorder {
  private let redactor: Redactor
  private(set) var bytes: [UInt8] = []

  init(_ redactor: Redactor) { self.redactor = redactor }

  /// A line as it is.
  mutating func append(_ line: UnsafeBufferPointer<UInt8>) {
    bytes += line
    bytes.append(0x0A)
  }

  /// The line of a step; behind its last member those that only the recorded step has.
  ///
  /// - Returns: false when it became longer than a line of a list may be.
  mutating func append(_ line: UnsafeBufferPointer<UInt8>, _ step: Step, _ result: StepResult) -> Bool {
    guard !step.hasAnswer, let answer = result.exchange?.answer, let end = line.lastIndex(of: UInt8(ascii: "}")) else {
      append(line)
      return true
    }
    let start = bytes.count
    bytes += line[..<end]
    let known = Set(StepWriter(step).members.map(\.key))
    let added = StepWriter(step.answered(answer)).members.filter { !known.contains($0.key) }
    bytes += ",\(StepWriter.text(of: added.map { ($0.key, redactor.redacted($0.value)) }))".utf8
    bytes += line[end...]
    bytes.append(0x0A)
    return bytes.count - start - 1 <= LineReader.longest
  }
}
