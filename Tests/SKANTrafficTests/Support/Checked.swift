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
      guard let kind = TrafficKind(path: request.request.path) else { continue }
      findings += checker.check(request, kind: kind)
    }
    findings += checker.finish()
    open = checker.open
    summary = checker.summary
  }

  init(fixture name: String) throws { try self.init(Captured(fixture: name).requests) }

  /// The ids of the rules that fired.
  var rules: [String] { Set(findings.map(\.rule.id)).sorted() }

  /// `entry rule: message` of each finding.
  var text: [String] { findings.map { "\($0.location.entry) \($0.rule.id): \($0.message)" } }
}
