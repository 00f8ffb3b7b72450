import SKANRun
import SKANSystem

/// Adds what the steps of a list did to the records of a device file: its history, and who answered last.
final class DeviceFileObserver: StepObserver {
  private(set) var file: DeviceFile
  private var answerers: AnswererMemory

  init(_ file: DeviceFile, _ invocation: Invocation) {
    self.file = file
    answerers = AnswererMemory(invocation)
  }

  func wantsResult(of step: Step) -> Bool { true }

  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    if case .ran(let result, _, _) = event {
      answerers.record(result, in: &file)
      file.record(result)
    }
    return true
  }
}
