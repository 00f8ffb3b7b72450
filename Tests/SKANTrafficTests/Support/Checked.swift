import SKANDevice
import SKANHTTP

@testable import SKANTraffic

/// What the rules say of a capture.
struct Checked {
  var findings: [TrafficFinding] = []
  /// What the end leaves open.
  var open: [TrafficFinding] = []
  var summary = TrafficSummary()

  init(_ requests: [CapturedRequest]) throws {
    var checker = TrafficChecker()
    for request in requests {
      guard let kind = EndpointKind(path: request.request.path) else { continue }
      findings += checker.check(request, kind: kind)
    }
    findings += checker.finish()
    open = checker.open
    summary = checker.summary
  }

  /// The same, device by device after a survey of all.
  ///
  /// - Parameter requests: in order of time.
  init(inParts requests: [CapturedRequest]) {
    var survey = TrafficSurvey()
    let devices = requests.map { survey.add($0, kind: EndpointKind(path: $0.request.path)) }
    let parts = survey.parts(of: devices)
    var checker = TrafficChecker(survey)
    for part in Set(parts).sorted() {
      for (request, own) in zip(requests, parts) where own == part {
        guard let kind = EndpointKind(path: request.request.path) else { continue }
        findings += checker.check(request, kind: kind)
      }
      findings += checker.finishLives()
    }
    findings += checker.finish()
    summary = checker.summary
  }

  init(fixture name: String) throws { try self.init(Captured(fixture: name).requests) }

  /// The ids of the rules that fired.
  var rules: [String] { Set(findings.map(\.rule.id)).sorted() }

  /// `entry rule: message` of each finding.
  var text: [String] { findings.map { "\($0.location.entry) \($0.rule.id): \($0.message)" } }
}
