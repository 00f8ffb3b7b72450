import SKANRun
import SKANText

/// The list of `--record`: each line again, and in the steps that asked an endpoint its answer.
final class Recording: StepObserver {
  private var recorder: Recorder
  private let path: String
  /// Why the list cannot be recorded.
  private(set) var failure: CommandError?

  init(_ redactor: Redactor, path: String) {
    recorder = Recorder(redactor)
    self.path = path
  }

  var bytes: [UInt8] { recorder.bytes }

  /// A line that holds no step.
  func append(_ line: UnsafeBufferPointer<UInt8>) { recorder.append(line) }

  func wantsResult(of step: Step) -> Bool { true }

  func observe(_ event: StepEvent, in reader: ListReader) -> Bool {
    switch event {
    case .ran(let result, _, _):
      if reader.withCurrentLine({ recorder.append($0, result.step, result) }) { return true }
      let (file, line) = reader.place
      failure = .cannotWrite(
        file: path, reason: "the answer to \(file):\(line) makes a line longer than \(LineReader.longest >> 20) MiB")
      return false
    case .skipped: reader.withCurrentLine { recorder.append($0) }
    case .completed, .retried: break
    }
    return true
  }
}
