import SKANDevice
import SKANJSON
import SKANRun
import SKANText
import SKANTraffic

/// A run of `skan check`.
struct CheckRun {
  private let invocation: Invocation
  private let environment: Environment
  private let form: CheckCommand.Form
  private let selection: TrafficSelection
  private let failOn: TrafficRule.Level
  private let hosts: TrafficHosts
  private let zone: UTCOffset?
  private let files: CheckFiles

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    environment = invocation.environment
    form = try CheckCommand.form(invocation)
    selection = TrafficSelection(
      since: try invocation[CheckCommand.since], until: try invocation[CheckCommand.until],
      device: try invocation[CheckCommand.device])
    failOn = try invocation[CheckCommand.failOn]
    hosts = try invocation[CheckCommand.host]
    zone = try invocation[CheckCommand.timezone]
    files = try CheckFiles(invocation)
  }

  /// Reads, checks and reports.
  func run() throws(CommandError) -> ExitCode {
    let (requests, tally) = try read()
    var checker = TrafficChecker()
    var findings: [TrafficFinding] = []
    for request in requests {
      guard let kind = TrafficKind(path: request.request.path) else { continue }
      findings += checker.check(request, kind: kind)
    }
    findings += checker.finish()
    let selected = requests.filter(selection.contains)
    let report = TrafficReport(
      requests: selected, findings: findings.filter(selection.contains), tally: tally, gaps: checker.summary.gaps
    ) { TrafficSecrets.text($0, without: $1) }
    try show(report)
    try files.write(report, selected, failingOn: failOn)
    return try end(report)
  }

  private func read() throws(CommandError) -> ([CapturedRequest], CaptureTally) {
    var traffic = CapturedTraffic()
    var reader = CaptureReader(hosts: hosts, zone: zone) { traffic.append($0, of: $1) }
    for path in invocation.positional {
      do throws(SourceFailure) {
        try reader.read(try environment.files.open(path), file: path)
      } catch {
        throw CommandError(error, file: path, hint: "name a capture, or - for standard input")
      }
    }
    return (traffic.sorted(), reader.tally)
  }

  private func show(_ report: TrafficReport) throws(CommandError) {
    if invocation[.quiet] { return }
    switch form {
    case .text: for line in CheckText(report: report).lines { try environment.write(line + "\n") }
    case .json:
      for object in [report.summaryJSON] + report.findingsJSON { try environment.write(JSONWriter.text(object) + "\n") }
    case .csv: try environment.write(report.csv)
    case .sarif:
      try environment.write(JSONWriter.text(report.sarif(version: CommandLineTool.version), layout: .indented) + "\n")
    }
  }

  /// The exit code, after what could not be read.
  private func end(_ report: TrafficReport) throws(CommandError) -> ExitCode {
    let tally = report.tally
    for remark in tally.remarks { note("\(remark.text)") }
    if tally.moreRemarks > 0 { note("skan: and \(tally.moreRemarks) more remarks") }
    for host in tally.undecrypted.keys.sorted() where hosts.contains(host) {
      environment.writeError("skan: TLS was not decrypted for \(host.oneLine): what went there is not checked\n")
    }
    if !tally.problems.isEmpty { throw .captures(tally.problems.map(\.text), more: tally.moreProblems) }
    if report.counts.total == 0 { throw .nothingToCheck(nothing(tally)) }
    return report.fails(on: failOn) ? .expectationFailed : .ok
  }

  private func note(_ line: String) { if !invocation[.quiet] { environment.writeError(line + "\n") } }

  private func nothing(_ tally: CaptureTally) -> String {
    if !selection.isEverything { return "no request to Singular in this selection" }
    return "no request to Singular; \(invocation.name(of: CheckCommand.host)) names a proxy of one's own"
  }
}

extension CaptureProblem {
  /// `FILE:LINE: message`, the number of the entry in it.
  fileprivate var text: String {
    "\(location.file.oneLine):\(location.line): \(location.entry > 0 ? "entry \(location.entry): " : "")\(message)"
  }
}
