import SKANDevice
import SKANText

/// Records a list as it runs: each line again, and in the steps that asked an endpoint its answer, so that the recording
/// runs without one. What a line says already stays as it is written there, variables too.
package final class ListRecorder: StepObserver {
  private let redact: (String) -> String
  package private(set) var bytes: [UInt8] = []
  /// The step whose answer makes its line longer than a line of a list may be: the list cannot be recorded.
  package private(set) var tooLong: (file: String, line: Int)?

  /// - Parameter redact: takes the SDK key out of a text.
  package init(redact: @escaping (String) -> String) { self.redact = redact }

  /// Adds a line as it is: one that holds no step, or a step without an answer of an endpoint.
  package func append(_ line: UnsafeBufferPointer<UInt8>) {
    unsafe bytes += line
    bytes.append(0x0A)
  }

  package func wantsResult(of step: Step) -> Bool { true }

  package func observe(_ event: StepEvent, in reader: ListReader) -> Bool {
    switch event {
    case .ran(let result, _, _):
      if unsafe reader.withCurrentLine({ unsafe append($0, result) }) { return true }
      tooLong = reader.place
      return false
    case .skipped: unsafe reader.withCurrentLine { unsafe append($0) }
    case .completed, .retried: break
    }
    return true
  }

  /// Adds the line of a step; behind its last member those that only the recorded step has.
  ///
  /// - Returns: false when it became longer than a line of a list may be.
  private func append(_ line: UnsafeBufferPointer<UInt8>, _ result: StepResult) -> Bool {
    let step = result.step
    guard !step.hasAnswer, let answer = result.exchange?.answer, let end = unsafe line.lastIndex(of: UInt8(ascii: "}"))
    else {
      unsafe append(line)
      return true
    }
    let start = bytes.count
    unsafe bytes += line[..<end]
    let known = Set(StepWriter(step).members.map(\.key))
    let added = StepWriter(step.answered(answer)).members.filter { !known.contains($0.key) }
    bytes += ",\(StepWriter.text(of: added.map { ($0.key, redact($0.value)) }))".utf8
    unsafe bytes += line[end...]
    bytes.append(0x0A)
    return bytes.count - start - 1 <= LineReader.longest
  }
}
