import SKANDevice
import SKANText

/// What the check of captures came to: equal findings of a device are one group, in the order of devices, then of rules.
package struct TrafficReport: Sendable {
  /// Findings of one rule about one device with one message.
  package struct Group: Sendable {
    /// The first of them.
    package let finding: TrafficFinding
    /// The URL of its request, without secrets.
    package let url: String?
    /// What the request says of its app.
    package let app: TrafficApp
    /// How many there are.
    package internal(set) var count: Int
  }

  /// The requests that were asked about.
  package let counts: TrafficCounts
  /// What the captures hold besides.
  package let tally: CaptureTally
  /// The devices with requests that were asked about, in the order of their first ones.
  package let devices: [TrafficDevice?]
  /// The findings.
  package let groups: [Group]
  /// Rules that these captures cannot answer, or not for all requests.
  package let gaps: [(rule: TrafficRule, gap: TrafficSummary.Gap)]

  /// - Parameters:
  ///   - requests: those that were asked about, in order of time.
  ///   - findings: about them, in any order.
  ///   - redact: takes the secrets of a request out of a text about it, wherever they stand.
  package init(
    requests: [CapturedRequest], findings: [TrafficFinding], tally: CaptureTally,
    gaps: [(rule: TrafficRule, gap: TrafficSummary.Gap)], redact: (_ text: String, _ secrets: [String]) -> String
  ) {
    var counts = TrafficCounts()
    var devices: [TrafficDevice?] = []
    var known: Set<TrafficDevice?> = []
    var byLocation: [CaptureLocation: CapturedRequest] = [:]
    for request in requests {
      if let kind = TrafficKind(path: request.request.path) { counts.add(kind) }
      let device = request.device
      if known.insert(device).inserted { devices.append(device) }
      byLocation[request.location] = request
    }
    counts.devices = devices.count { $0 != nil }
    self.counts = counts
    self.tally = tally
    self.devices = devices
    self.gaps = gaps
    groups = Self.groups(of: findings, devices, byLocation, redact)
  }

  private static func groups(
    of findings: [TrafficFinding], _ devices: [TrafficDevice?], _ requests: [CaptureLocation: CapturedRequest],
    _ redact: (_ text: String, _ secrets: [String]) -> String
  ) -> [Group] {
    struct Key: Hashable {
      let device: TrafficDevice?
      let rule: TrafficRule
      let message: String
    }
    var groups: [Group] = []
    var indices: [Key: Int] = [:]
    for var finding in findings {
      let request = requests[finding.location]
      let secrets = request?.secrets ?? []
      finding.message = redact(finding.message, secrets)
      let key = Key(device: finding.device, rule: finding.rule, message: finding.message)
      if let index = indices[key] {
        groups[index].count += 1
        continue
      }
      indices[key] = groups.count
      let app = request.map { TrafficApp($0) { redact($0, secrets) } } ?? TrafficApp()
      groups.append(Group(finding: finding, url: request.map { redact($0.redactedURL, secrets) }, app: app, count: 1))
    }
    let order = Dictionary(devices.enumerated().map { ($1, $0) }) { first, _ in first }
    let rules = Dictionary(TrafficRule.allCases.enumerated().map { ($1, $0) }) { first, _ in first }
    let keys = groups.enumerated().map { index, group in
      (order[group.finding.device] ?? .max, rules[group.finding.rule] ?? .max, index)
    }
    return groups.indices.sorted { keys[$0] < keys[$1] }.map { groups[$0] }
  }

  /// The rules that these captures cannot answer at all, and why.
  package var unevaluated: [(rule: TrafficRule, reason: String)] {
    gaps.compactMap { rule, gap in if case .all(let reason) = gap { (rule, reason) } else { nil } }
  }

  /// How many findings there are of a level.
  package func count(_ level: TrafficRule.Level) -> Int {
    groups.reduce(0) { $0 + ($1.finding.rule.level == level ? $1.count : 0) }
  }

  /// Whether there is a finding of this level or a graver one.
  package func fails(on level: TrafficRule.Level) -> Bool {
    groups.contains { $0.finding.rule.level.isAtLeast(level) }
  }
}

extension TrafficRule.Level {
  /// Whether it is this level or a graver one.
  package func isAtLeast(_ other: TrafficRule.Level) -> Bool {
    let order = Self.allCases
    return (order.firstIndex(of: self) ?? 0) <= (order.firstIndex(of: other) ?? 0)
  }
}
