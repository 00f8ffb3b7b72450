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

  /// A request of which the end of the capture leaves open whether it breaks a rule.
  package struct Open: Sendable {
    /// The finding that it may be; its message says what is missing, up to the request.
    package let finding: TrafficFinding
    /// The endpoint, and the event.
    package let name: String
    /// The URL of the request, without secrets.
    package let url: String?
    /// What the request says of its app.
    package let app: TrafficApp

    /// As in "the capture ends 3 s after evt level (capture.har entry 4)".
    package var reason: String {
      "\(finding.message) \(name) (\(finding.location.file) entry \(finding.location.entry))"
    }
  }

  private struct Key: Hashable {
    let device: TrafficDevice?
    let rule: TrafficRule
    let message: String
  }

  /// The requests that were asked about.
  package private(set) var counts = TrafficCounts()
  /// What the captures hold besides.
  package let tally: CaptureTally
  /// The devices with requests that were asked about, in the order of their first ones.
  package private(set) var devices: [TrafficDevice?] = []
  /// The findings, in their order after ``finish(_:)``.
  package private(set) var groups: [Group] = []
  /// Rules that these captures cannot answer, or not for all requests.
  package private(set) var gaps: [(rule: TrafficRule, gap: TrafficSummary.Gap)] = []
  /// What the end of the captures leaves open, in the order of the entries.
  package private(set) var open: [Open] = []
  private var knownDevices: Set<TrafficDevice?> = []
  private var indices: [Key: Int] = [:]
  /// Takes the secrets of a request out of a text about it, wherever they stand.
  private let redact: @Sendable (_ text: String, _ secrets: [String]) -> String

  /// No request yet.
  ///
  /// - Parameter redact: takes the secrets of a request out of a text about it, wherever they stand.
  package init(tally: CaptureTally, redact: @escaping @Sendable (_ text: String, _ secrets: [String]) -> String) {
    self.tally = tally
    self.redact = redact
  }

  /// Counts a request that was asked about; in order of time.
  ///
  /// - Parameter device: who sent it, by its own parameters.
  package mutating func add(_ kind: TrafficKind, of device: TrafficDevice?) {
    counts.add(kind)
    guard knownDevices.insert(device).inserted else { return }
    devices.append(device)
    if device != nil { counts.devices += 1 }
  }

  /// Adds a finding.
  ///
  /// - Parameter request: the one that it is at.
  package mutating func add(_ finding: TrafficFinding, at request: CapturedRequest?) {
    var finding = finding
    let secrets = request?.secrets ?? []
    finding.message = redact(finding.message, secrets)
    let key = Key(device: finding.device, rule: finding.rule, message: finding.message)
    if let index = indices[key] {
      groups[index].count += 1
      return
    }
    indices[key] = groups.count
    let app = request.map { TrafficApp($0) { redact($0, secrets) } } ?? TrafficApp()
    groups.append(Group(finding: finding, url: request.map { redact($0.redactedURL, secrets) }, app: app, count: 1))
  }

  /// Adds what the end of the captures leaves open.
  ///
  /// - Parameter request: the one that it is about.
  package mutating func add(open finding: TrafficFinding, at request: CapturedRequest?) {
    let secrets = request?.secrets ?? []
    open.append(
      Open(
        finding: finding, name: redact(request?.name ?? "a request", secrets),
        url: request.map { redact($0.redactedURL, secrets) },
        app: request.map { TrafficApp($0) { redact($0, secrets) } } ?? TrafficApp()))
  }

  /// Puts the findings in their order.
  package mutating func finish(_ gaps: [(rule: TrafficRule, gap: TrafficSummary.Gap)]) {
    self.gaps = gaps
    let order = Dictionary(uniqueKeysWithValues: devices.enumerated().map { ($1, $0) })
    let rules = Dictionary(uniqueKeysWithValues: TrafficRule.allCases.enumerated().map { ($1, $0) })
    let keys = groups.enumerated().map { index, group in
      (order[group.finding.device] ?? .max, rules[group.finding.rule] ?? .max, index)
    }
    groups = groups.indices.sorted { keys[$0] < keys[$1] }.map { groups[$0] }
    indices = [:]
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
