import SKANDevice

/// The rules that compare the two endpoints: each session and each event must reach both, under the same name.
struct PairRules {
  /// A request without a counterpart so far.
  private struct Waiting {
    /// The name in lower case.
    var name: String
    /// The name as sent.
    var spelling: String
    /// The finding if there is no counterpart.
    var finding: TrafficFinding
    /// Unix seconds.
    var seconds: Int64?
    /// The last call in the request.
    var lastCall: Int64?
    /// Whether the capture may lack the request of its update, because that came earlier.
    var mayBeCut: Bool
  }

  private var updates: [Waiting] = []
  private var forwards: [Waiting] = []
  private var names: Set<String> = []
  /// The last reported session that needs no update, until the app's next request for a session: the report may belong
  /// to that one. At most one; an array, because most devices rarely have one.
  private var early: [Waiting] = []
  /// Whether the app has requested a value.
  private var hasAsked = false

  /// - Parameter firstCall: the first call in the previous requests.
  mutating func check(
    _ request: CheckedRequest, firstCall: Int64?, of app: AppFacts, into findings: inout [TrafficFinding]
  ) {
    guard request.device?.kind != .sdid else { return misplacedNames(request, into: &findings) }
    misplacedNames(request, into: &findings)
    let isUpdate = !request.kind.isReport
    let name = request.pairingName
    if isUpdate { hasAsked = true } else { settleEarly(before: request, of: app, into: &findings) }
    let others = isUpdate ? forwards : updates
    if let index = others.firstIndex(where: { $0.name == name }) {
      let other = others[index]
      if isUpdate { forwards.remove(at: index) } else { updates.remove(at: index) }
      if request.kind != .launch, name != Device.sessionEventName, !other.spelling.isLiterally(request.eventName) {
        let there = isUpdate ? "evt" : "conversion_value"
        findings.append(
          request.finding(
            .eventNameCase, "n is \(request.eventName) here and \(other.spelling) at \(there).", about: ["n"]))
      }
      if isUpdate, let finding = reportedBefore(request, other) { findings.append(finding) }
      return
    }
    if !isUpdate, request.needsNoUpdate(firstCall: firstCall) {
      if request.kind == .launch { early = [waiting(request, name, isUpdate: false)] }
      return
    }
    wait(request, name, isUpdate: isUpdate, of: app, into: &findings)
  }

  /// Reports a session whose only report preceded it, if no other came within a minute: the next report belongs to
  /// another session.
  private mutating func settleEarly(
    before request: CheckedRequest, of app: AppFacts, into findings: inout [TrafficFinding]
  ) {
    guard let now = request.seconds,
      let index = updates.firstIndex(where: { waiting in
        waiting.finding.rule == .reportedBeforeUpdated
          && waiting.seconds.map { now - $0 > DeviceRules.patience } ?? false
      })
    else { return }
    report(updates.remove(at: index), app, into: &findings)
  }

  /// The finding that a report preceded the request of its update, describing both.
  ///
  /// Both then have the last call from before the update. If only the clocks of two captures caused the order, the
  /// report has the later one.
  private func reportedBefore(_ request: CheckedRequest, _ report: Waiting) -> TrafficFinding? {
    guard !report.mayBeCut, let reported = report.seconds, let asked = request.seconds,
      (0...DeviceRules.patience).contains(asked - reported), let lastCall = request.kept.lastCall,
      report.lastCall ?? lastCall == lastCall
    else { return nil }
    var finding = report.finding
    finding.rule = .reportedBeforeUpdated
    let what = report.name == Device.sessionEventName ? "launch" : "evt \(report.spelling)"
    let time = { (at: Instant?, seconds: Int64) in (at ?? Instant(unixSeconds: seconds))?.description ?? "" }
    let shown = report.lastCall == nil ? "no last call" : "the last call \(lastCall)"
    finding.message =
      "\(what) at \(time(finding.at, reported)) shows \(shown), and conversion_value \(request.eventName) at "
      + "\(time(request.captured.at, asked)) (entry \(request.captured.location.entry)) shows \(lastCall)."
    return finding
  }

  private mutating func wait(
    _ request: CheckedRequest, _ name: String, isUpdate: Bool, of app: AppFacts, into findings: inout [TrafficFinding]
  ) {
    var waiting = waiting(request, name, isUpdate: isUpdate)
    if isUpdate, name == Device.sessionEventName {
      // If no other report follows, the previous one belongs to this session.
      if let finding = early.first.flatMap({ reportedBefore(request, $0) }) { waiting.finding = finding }
      early = []
    }
    if isUpdate { updates.append(waiting) } else { forwards.append(waiting) }
    guard max(updates.count, forwards.count) > DeviceRules.limit else { return }
    let oldest = isUpdate ? updates.removeFirst() : forwards.removeFirst()
    report(oldest, app, into: &findings)
  }

  private func waiting(_ request: CheckedRequest, _ name: String, isUpdate: Bool) -> Waiting {
    let what = name == Device.sessionEventName ? "a session" : request.eventName
    let finding =
      isUpdate
      ? request.finding(.eventNotForwarded, "\(what) was not reported.")
      : request.finding(.eventNotUpdated, "conversion_value was not asked with \(what).")
    return Waiting(
      name: name, spelling: request.eventName, finding: finding, seconds: request.seconds,
      lastCall: request.kept.lastCall, mayBeCut: !hasAsked && request.kept.firstCall != request.kept.lastCall)
  }

  private func report(_ waiting: Waiting, _ app: AppFacts, into findings: inout [TrafficFinding]) {
    if isKnown(waiting, app) { findings.append(waiting.finding) }
  }

  /// Whether the capture would contain the counterpart.
  private func isKnown(_ waiting: Waiting, _ app: AppFacts) -> Bool {
    app.hasBothSides && !(app.hasUnlinkedEvents && waiting.name != Device.sessionEventName)
  }

  /// Reports misplaced names: `n` of a session is the app's name, and a session is not an event.
  private mutating func misplacedNames(_ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    let name = request.eventName
    guard request.kind == .launch else {
      if names.count < DeviceRules.limit { names.insert(name) }
      if request.isEvent, name == Device.sessionEventName {
        findings.append(
          request.finding(.sessionNameMisplaced, "a session is reported to evt under \(name).", about: ["n"]))
      }
      return
    }
    if name == Device.sessionEventName || names.contains(name) {
      findings.append(
        request.finding(.sessionNameMisplaced, "n of launch is the app's name, it is \(name).", about: ["n"]))
    }
  }

  /// Reports requests without a counterpart. Those of the last minute may still get one.
  mutating func finish(
    _ app: AppFacts, end: Int64?, into findings: inout [TrafficFinding], open: inout [TrafficFinding]
  ) {
    for waiting in updates + forwards where isKnown(waiting, app) {
      if let end, let seconds = waiting.seconds, seconds > end - DeviceRules.patience {
        open.append(waiting.finding.open(waiting.finding.rule, end: end, seconds: seconds))
      } else {
        findings.append(waiting.finding)
      }
    }
    updates = []
    forwards = []
  }
}

extension AppFacts {
  /// Whether both endpoints received requests, from any device.
  var hasBothSides: Bool { conversions > 0 && forwarded > 0 }
}

extension CheckedRequest {
  var isEvent: Bool { if case .event = kind { true } else { false } }

  /// Whether the app has no reason to request a value for it: right after the registration, without one, or after the
  /// windows.
  fileprivate func needsNoUpdate(firstCall known: Int64?) -> Bool {
    if kind == .launch, sent["install"] == "true" || (kept.firstCall != nil && kept.firstCall == kept.lastCall) {
      return true
    }
    guard let first = kept.firstCall ?? known else { return true }
    guard let seconds else { return false }
    if metadata.hasSKAN3Names, !metadata.hasSKAN4Names, let last = kept.lastCall {
      return seconds - last >= ConversionWindow.skan3Length
    }
    return ConversionWindow.at(secondsSinceFirstCall: seconds - first) == nil
  }
}
