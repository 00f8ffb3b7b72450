import SKANDevice
import SKANRun
import SKANText

/// Writes the list of `--record`: each line again, and in the steps that asked an endpoint its answer, so that the recording
/// runs without one. What a line says already stays as it is written there, variables too.
final class Recorder: StepObserver {
  private let redactor: Redactor
  private let path: String
  private(set) var bytes: [UInt8] = []
  /// Why the list cannot be recorded.
  private(set) var failure: CommandError?

  init(_ redactor: Redactor, path: String) {
    self.redactor = redactor
    self.path = path
  }

  /// Adds a line as it is: one that holds no step, or a step without an answer of an endpoint.
  func append(_ line: UnsafeBufferPointer<UInt8>) {
    bytes += line
    bytes.append(0x0A)
  }

  func wantsResult(of step: Step) -> Bool { true }

  func observe(_ event: StepEvent, in reader: ListReader) -> Bool {
    switch event {
    case .ran(let result, _, _):
      if reader.withCurrentLine({ append($0, result) }) { return true }
      let (file, line) = reader.place
      failure = .cannotWrite(
        file: path, reason: "the answer to \(file):\(line) makes a line longer than \(LineReader.longest >> 20) MiB")
      return false
    case .skipped: reader.withCurrentLine { append($0) }
    case .completed, .retried: break
    }
    return true
  }

  /// Adds the line of a step; behind its last member those that only the recorded step has.
  ///
  /// - Returns: false when it became longer than a line of a list may be.
  private func append(_ line: UnsafeBufferPointer<UInt8>, _ result: StepResult) -> Bool {
    let step = result.step
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
