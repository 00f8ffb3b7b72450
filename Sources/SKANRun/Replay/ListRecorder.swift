import SKANDevice
import SKANBase

/// Records a list as it runs: each line again, and in the steps that asked an endpoint its answer, so that the recording
/// runs without one. What a line says already stays as it is written there, variables too. The caller has taken the SDK key
/// out of the answers.
package final class ListRecorder: StepObserver {
  package private(set) var bytes: [UInt8] = []
  /// The step whose answer makes its line longer than a line of a list may be: the list cannot be recorded.
  package private(set) var tooLong: (file: String, line: Int)?

  package init() {}

  /// Adds a line as it is: one that holds no step, or a step without an answer of an endpoint.
  package func append(_ line: UnsafeBufferPointer<UInt8>) {
    unsafe bytes += line
    bytes.append(0x0A)
  }

  package func wantsResult(of step: Step) -> Bool { true }

  package func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    switch event {
    case .ran(let result, _, _):
      if unsafe reader.withCurrentLine({ unsafe append($0, result) }) { return true }
      tooLong = reader.location
      return false
    case .skipped: unsafe reader.withCurrentLine { unsafe append($0) }
    case .completed, .retried: break
    }
    return true
  }

  /// Adds the line of a step; behind its last member those that only the recorded step has. The settings of a report are
  /// written anew, with the answer to it.
  ///
  /// - Returns: false when it became longer than a line of a list may be.
  private func append(_ line: UnsafeBufferPointer<UInt8>, _ result: StepResult) -> Bool {
    var line = unsafe Array(line)
    let before = StepWriter(result.step).members
    for (key, value) in StepWriter(result.recordedStep).members {
      let text = StepWriter.text(of: [(key, value)])
      if let old = before.first(where: { $0.key == key }) {
        guard old.value != value, let range = range(of: key, in: line) else { continue }
        line.replaceSubrange(range, with: text.utf8.dropFirst(key.utf8.count + 3))
      } else if let end = line.lastIndex(of: UInt8(ascii: "}")) {
        line.insert(contentsOf: ",\(text)".utf8, at: end)
      }
    }
    bytes += line
    bytes.append(0x0A)
    return line.count <= LineReader.longest
  }

  /// Where the value of a member stands.
  private func range(of key: String, in line: [UInt8]) -> Range<Int>? {
    (try? JSONReader.read(line))?.member(key)?.range
  }
}

extension StepResult {
  /// The step with all answers in it that it does not bring itself.
  fileprivate var recordedStep: Step {
    var recorded = step
    if !step.hasAnswer, let answer = exchange?.answer { recorded = recorded.answered(answer) }
    if step.operation.forward?.answer == nil, let answer = forwarded?.answer {
      recorded = recorded.reportAnswered(answer)
    }
    return recorded
  }
}
