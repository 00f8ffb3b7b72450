import SKANDevice

/// The totals of a check, and the rules that could not be evaluated.
package struct TrafficSummary: Sendable, Equatable {
  /// Requests to launch.
  package internal(set) var launches = 0
  /// Requests to evt, of both versions.
  package internal(set) var events = 0
  /// Requests to conversion_value, of both versions.
  package internal(set) var conversions = 0
  /// The number of devices, by app and identifier.
  package internal(set) var devices = 0
  /// The number of findings by rule; rules without findings are absent.
  package internal(set) var findings: [TrafficRule: Int] = [:]
  /// POST requests whose form the input does not contain; their parameters were not checked.
  package internal(set) var withoutForm = 0
  /// The requests whose parameters are unknown, each of which may be one that a rule misses.
  package internal(set) var hidden = HiddenRequests()
  /// Requests that identify the device only by an `sdid` that its other requests do not have.
  package internal(set) var unlinked = 0
  /// The number of requests to each endpoint, and of those whose parameters were checked.
  var sent: [EndpointKind: Int] = [:]
  var checked: [EndpointKind: Int] = [:]
  /// Requests whose answers are in the input and cannot be read.
  var unreadAnswers = 0
  /// How many requests meet each need; for needs of the whole input, 0 where it is not met.
  var met: [TrafficNeed: Int] = [:]

  /// The number of all requests.
  package var requests: Int { launches + events + conversions }

  /// The number of findings of a level.
  package func count(_ level: TrafficRule.Level) -> Int {
    findings.reduce(0) { $0 + ($1.key.level == level ? $1.value : 0) }
  }

  /// Why a rule was not evaluated, or only for some requests; nil when it was evaluated for all.
  package func gap(of rule: TrafficRule) -> Gap? {
    let gap = gap(ofNeeds: rule)
    guard let reason = hidden.reason(for: rule.concludesFromMissing) else { return gap }
    return switch gap {
    case .all: gap
    case .part(let other), .hidden(let other): .hidden("\(reason), and \(other)")
    case nil: .hidden(reason)
    }
  }

  private func gap(ofNeeds rule: TrafficRule) -> Gap? {
    let needs = rule.needs
    if requests == 0 { return .all("no requests") }
    if let gap = gap(ofParameters: rule) { return gap }
    if let unmet = needs.first(where: { count($0) == 0 }) { return .all(unmet.reason) }
    let parts = needs.compactMap { need in lack(of: need).map { (missing: requests - count(need), lack: $0) } }
    guard let worst = parts.max(by: { $0.missing < $1.missing }), worst.missing > 0 else { return nil }
    return .part("\(worst.missing) of \(requests) requests \(worst.lack)")
  }

  /// Why a rule about parameters was not evaluated, by what was checked.
  private func gap(ofParameters rule: TrafficRule) -> Gap? {
    let endpoints = ParameterRules.endpoints(of: rule)
    let (asked, done) = (
      endpoints.reduce(0) { $0 + sent[$1, default: 0] }, endpoints.reduce(0) { $0 + checked[$1, default: 0] }
    )
    if endpoints.isEmpty || done == asked && done > 0 { return nil }
    let needs: [(TrafficNeed, Set<EndpointKind>)] = [
      (.conversions, Set(EndpointKind.conversions)), (.events, [.event(.v1), .event(.v2)]),
      (.forwarded, Set(EndpointKind.reports)),
    ]
    if asked == 0 { return .all(needs.first { endpoints.isSubset(of: $0.1) }?.0.reason ?? "no requests") }
    return done == 0
      ? .all("no request has readable parameters")
      : .part("\(asked - done) of \(asked) requests have no readable parameters")
  }

  private func lack(of need: TrafficNeed) -> String? {
    need == .answers && unreadAnswers > 0 ? "have no answer that can be read" : need.lack
  }

  private func count(_ need: TrafficNeed) -> Int { need == .links ? requests - unlinked : met[need, default: 0] }

  /// The extent to which a rule was not evaluated, with the reason.
  package enum Gap: Sendable, Equatable {
    /// For all requests.
    case all(String)
    /// For some requests.
    case part(String)
    /// For the devices and times at which a hidden request may be what the rule misses.
    case hidden(String)
  }

  /// The rules with a gap, in the order of the rules.
  package var gaps: [(rule: TrafficRule, gap: Gap)] {
    TrafficRule.allCases.compactMap { rule in gap(of: rule).map { (rule, $0) } }
  }
}

/// A property that an input needs for some rules to be evaluated.
package enum TrafficNeed: CaseIterable, Sendable {
  /// Answers: a body, or that there was no answer.
  case answers
  /// Times of requests.
  case times
  /// Requests to conversion_value.
  case conversions
  /// Requests to launch or evt.
  case forwarded
  /// Requests to evt.
  case events
  /// A device with requests to conversion_value and to launch or evt, under the same identifier.
  case bothSides
  /// Identifiers that link a request to the device's other requests.
  case links
  /// SDK keys that are not redacted.
  case keys
  /// Three devices with an address.
  case severalDevices
  /// The sender of conversion_value requests: the snippet, or a server.
  case client
  /// Models of the apps.
  case model

  /// Why rules with this need are not evaluated.
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
    case .client: "nothing says whether the snippet or a server asked conversion_value (--client)"
    case .model: "no model of the app"
    }
  }

  /// A description of requests that do not meet the need, to follow their count; nil for a need of the whole input.
  package var lack: String? {
    switch self {
    case .answers: "have no answer"
    case .times: "have no time"
    case .links: "name the device by sdid alone"
    case .keys: "have no SDK key"
    case .client: "are from a client that is not known (--client)"
    case .conversions, .forwarded, .events, .bothSides, .severalDevices, .model: nil
    }
  }
}
