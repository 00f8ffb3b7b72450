import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANModel
import SKANTraffic

/// The files that `skan check` writes.
struct CheckFiles: Sendable {
  let junit: OutputFile?
  let redacted: OutputFile?
  let list: OutputFile?

  ///
  /// - Parameter requests: returns the selected requests in order of time, all in memory.
  func write(
    _ report: TrafficReport, failingOn level: TrafficRule.Level, isQuiet: Bool, _ environment: Environment,
    requests: () throws(CommandError) -> [CapturedRequest]
  ) throws(CommandError) {
    if let junit {
      try junit.write(report.junit(failingOn: level, at: environment.now()), environment)
    }
    if redacted == nil, list == nil { return }
    let requests = try requests()
    if let redacted {
      guard let bytes = SharedCapture(requests).bytes else {
        throw .unusable(
          "a HAR has times, and these captures have requests without: no \(redacted.path.oneLine) is written")
      }
      try redacted.write(bytes, environment)
    }
    guard let list else { return }
    let made = CapturedList(requests)
    guard made.phones > 0 else {
      throw .unusable("no request has a device and an answer: no \(list.path.oneLine) is written")
    }
    if let first = made.leftOut.first {
      let count = made.leftOut.count.counted("request")
      environment.printError(
        [
          .remark(
            "\(count) without a device or an answer left out of the list, the first at \(first.file.oneLine):\(first.line)"
          )
        ])
    }
    if let note = made.note, !isQuiet { environment.printError([.remark(note)]) }
    try list.write(Array(made.text.utf8), environment)
  }
}
