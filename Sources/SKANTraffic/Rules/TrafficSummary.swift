/// What was checked, what was found, and what could not be evaluated.
package struct TrafficSummary: Sendable, Equatable {
  /// Requests to launch.
  package internal(set) var launches = 0
  /// Requests to evt, of both versions.
  package internal(set) var events = 0
  /// Requests to conversion_value, of both versions.
  package internal(set) var conversions = 0
  /// Devices by app and identifier.
  package internal(set) var devices = 0
  /// Findings of each rule; a rule without any is absent.
  package internal(set) var findings: [TrafficRule: Int] = [:]
  /// POST requests whose form the input does not have; their parameters were not checked.
  package internal(set) var withoutForm = 0
  /// Requests that name the device by `sdid` alone, which the device's other requests do not have.
  package internal(set) var unlinked = 0
  /// How much of the input meets a need: requests, or for the needs of the whole input what there is of it.
  var met: [TrafficNeed: Int] = [:]

  /// All requests.
  package var requests: Int { launches + events + conversions }

  /// The findings of a level.
  package func count(_ level: TrafficRule.Level) -> Int {
    findings.reduce(0) { $0 + ($1.key.level == level ? $1.value : 0) }
  }

  /// Why a rule was not evaluated, or was for a part of the requests only; nil when it was for all.
  package func gap(of rule: TrafficRule) -> Gap? {
    let needs = rule.needs
    if requests == 0 { return .all("no requests") }
    if let unmet = needs.first(where: { count($0) == 0 }) { return .all(unmet.reason) }
    let parts = needs.compactMap { need in need.lack.map { (missing: requests - count(need), lack: $0) } }
    guard let worst = parts.max(by: { $0.missing < $1.missing }), worst.missing > 0 else { return nil }
    return .part("\(worst.missing) of \(requests) requests \(worst.lack)")
  }

  private func count(_ need: TrafficNeed) -> Int { need == .links ? requests - unlinked : met[need, default: 0] }

  /// The part of a rule that was not evaluated, with the reason.
  package enum Gap: Sendable, Equatable {
    /// The rule as a whole.
    case all(String)
    /// The rule for some requests.
    case part(String)
  }

  /// The rules with a gap, in the order of the rules.
  package var gaps: [(rule: TrafficRule, gap: Gap)] {
    TrafficRule.allCases.compactMap { rule in gap(of: rule).map { (rule, $0) } }
  }
}

/// Something that an input must have so that some rules can be evaluated.
package enum TrafficNeed: CaseIterable, Sendable {
  /// The answer: the body, or that nothing came.
  case answers
  /// When a request was sent.
  case times
  /// Requests to conversion_value.
  case conversions
  /// Requests to launch or evt.
  case forwarded
  /// Requests to evt.
  case events
  /// A device that asked conversion_value and was reported to launch or evt, under the same identifier.
  case bothSides
  /// An identifier under which the device's other requests are known, too.
  case links
  /// SDK keys that were not taken out.
  case keys
  /// Three devices with an address.
  case severalDevices

  /// Why a rule that needs it is not evaluated.
  package var reason: String {
    switch self {
    case .answers: "no answers in this input"
    case .times: "no times in this input"
    case .conversions: "no conversion_value requests"
    case .forwarded: "no launch or evt requests"
    case .events: "no evt requests"
    case .bothSides: "no device with conversion_value requests and launch or evt requests"
    case .links: "devices are named by sdid alone"
    case .keys: "no SDK key in this input"
    case .severalDevices: "fewer than three devices with an address"
    }
  }

  /// What the requests lack that do not meet it, behind a count of requests; nil where it is met or not by the input as a
  /// whole.
  package var lack: String? {
    switch self {
    case .answers: "have no answer"
    case .times: "have no time"
    case .links: "name the device by sdid alone"
    case .keys: "have no SDK key"
    case .conversions, .forwarded, .events, .bothSides, .severalDevices: nil
    }
  }
}
