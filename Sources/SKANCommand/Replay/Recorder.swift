import SKANDevice
import SKANRun

/// Writes a list again, with the answers that came in the steps that asked an endpoint: recorded once, it can be lived
/// again without one.
struct Recorder {
  private let redactor: Redactor
  private(set) var bytes: [UInt8] = []

  init(_ redactor: Redactor) { self.redactor = redactor }

  /// A line as it is.
  mutating func append(_ line: UnsafeBufferPointer<UInt8>) {
    bytes += line
    bytes.append(0x0A)
  }

  /// The line of a step, its answer behind its last member.
  ///
  /// - Returns: false when it became longer than a line of a list may be.
  mutating func append(_ line: UnsafeBufferPointer<UInt8>, _ step: Step, _ result: StepResult) -> Bool {
    guard !step.hasAnswer, let answer = result.exchange?.answer, let end = line.lastIndex(of: UInt8(ascii: "}")) else {
      append(line)
      return true
    }
    let start = bytes.count
    bytes += line[..<end]
    bytes += ",\"answer\":".utf8
    // What looks like a variable in it is none.
    bytes += redactor.redacted(AnswerForm.text(answer)).replacing("${", with: "$${").utf8
    bytes += line[end...]
    bytes.append(0x0A)
    return bytes.count - start - 1 <= LineReader.longest
  }
}
