import SKANDevice
import SKANBase
import SKANTraffic

/// The files that `skan check` writes.
struct CheckFiles {
  private let environment: Environment
  private let junit: String?
  private let redacted: String?
  private let list: String?
  private let isQuiet: Bool

  /// - Throws: when one would take the place of a capture or of another, or cannot be written, or when a capture is
  ///   named twice, whose requests would be duplicates.
  init(_ invocation: Invocation) throws(CommandError) {
    environment = invocation.environment
    try invocation.checkNamedOnce(invocation.positional, hint: "a capture, or - for standard input")
    try invocation.checkFiles(reading: invocation.positional, called: "the capture ")
    junit = try invocation[CheckCommand.reportJUnit]
    redacted = try invocation[CheckCommand.redacted]
    list = try invocation[CheckCommand.toList]
    isQuiet = invocation[.quiet]
    for option in [CheckCommand.reportJUnit, CheckCommand.redacted, CheckCommand.toList] {
      guard let path = try invocation[option] else { continue }
      if path != "-" {
        try environment.files.requireOutput(path)
      } else if !invocation[.quiet] {
        throw invocation.usage("\(invocation.name(of: option)) - needs --quiet: it goes to standard output")
      }
    }
  }

  /// Writes the files.
  ///
  /// - Parameter requests: gives those that the report is about, in order of time; in memory, all at once.
  func write(
    _ report: TrafficReport, failingOn level: TrafficRule.Level,
    requests: () throws(CommandError) -> [CapturedRequest]
  ) throws(CommandError) {
    if let junit {
      try write(report.junit(failingOn: level, at: environment.now()), to: junit)
    }
    if redacted == nil, list == nil { return }
    let requests = try requests()
    if let redacted {
      guard let bytes = SharedCapture(requests).bytes else {
        throw .unusable(
          "a HAR has times, and these captures have requests without: no \(redacted.oneLine) is written")
      }
      try write(bytes, to: redacted)
    }
    if let list { try writeList(requests, to: list) }
  }

  /// Writes the traffic as an event list.
  private func writeList(_ requests: [CapturedRequest], to path: String) throws(CommandError) {
    let made = CapturedList(requests) { TrafficSecrets.text($0, without: $1) }
    guard made.phones > 0 else {
      throw .unusable("no request has a device and an answer: no \(path.oneLine) is written")
    }
    if let first = made.leftOut.first {
      let count = made.leftOut.count.counted("request")
      environment.printError(
        .remark(
          "\(count) without a device or an answer left out of the list, the first at \(first.file.oneLine):\(first.line)"
        ))
    }
    if let note = made.note, !isQuiet { environment.printError(.remark(note)) }
    try write(Array(made.text.utf8), to: path)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    if path == "-" { try environment.writeOutput(bytes) } else { try environment.files.publish(path, bytes) }
  }
}
