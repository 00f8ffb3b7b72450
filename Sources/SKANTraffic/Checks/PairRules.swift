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
    /// What the finding concludes to be missing.
    var missing: HiddenRequests.Kinds
    /// Whether it is the report of a session that needs its own update.
    var isOwnSession: Bool

    /// Records that the app asked for an event while the session's own update is missing.
    mutating func ask(_ request: CheckedRequest) {
      guard isOwnSession, finding.rule == .eventNotUpdated else { return }
      finding.rule = .sessionNotUpdated
      finding.message =
        "conversion_value was not asked at its start, only later with \(request.eventName) "
        + "(entry \(request.captured.location.entry))."
    }

    /// Whether its update did not come within a minute.
    func isMissed(at now: Int64?) -> Bool {
      guard finding.rule == .sessionNotUpdated, let now, let seconds else { return false }
      return now - seconds > DeviceRules.patience
    }
  }

  /// Since when the requests of each name may be out of step: an update belongs to another report than the one with
  /// which it is paired, since a request before both is missing.
  private struct OutOfStep {
    private var names: [String: Int64] = [:]
    /// The earliest time of names that are no longer kept.
    private var others = Int64.max

    /// Unix seconds.
    func since(_ name: String) -> Int64 { min(names[name] ?? .max, others) }

    mutating func begin(_ name: String, at seconds: Int64?) {
      if names.count >= DeviceRules.limit, names[name] == nil {
        others = min(others, names.values.min() ?? .max)
        names = [:]
      }
      names[name] = min(names[name] ?? .max, seconds ?? .min)
    }

    mutating func end(_ name: String) { names[name] = nil }
  }

  private var updates: [Waiting] = []
  private var forwards: [Waiting] = []
  private var names: Set<String> = []
  /// The last reported session that needs no update, until the app's next request for a session: the report may belong
  /// to that one. At most one; an array, because most devices rarely have one.
  private var early: [Waiting] = []
  /// Whether the app has requested a value.
  private var hasAsked = false
  private var outOfStep = OutOfStep()

  /// - Parameter firstCall: the first call in the previous requests.
  mutating func check(
    _ request: CheckedRequest, firstCall: Int64?, of app: AppFacts, into findings: inout [TrafficFinding]
  ) {
    guard request.device?.kind != .sdid else { return misplacedNames(request, into: &findings) }
    misplacedNames(request, into: &findings)
    let isUpdate = !request.kind.isReport
    let name = request.pairingName
    settleSessions(before: request, of: app, into: &findings)
    if isUpdate { hasAsked = true } else { settleEarly(before: request, of: app, into: &findings) }
    // A report of a session that is out of step may have its update.
    if isUpdate, name != Device.sessionEventName, outOfStep.since(Device.sessionEventName) == .max {
      for index in forwards.indices { forwards[index].ask(request) }
      for index in early.indices { early[index].ask(request) }
    }
    let others = isUpdate ? forwards : updates
    if let index = others.firstIndex(where: { $0.name == name }) {
      let other = others[index]
      if isUpdate { forwards.remove(at: index) } else { updates.remove(at: index) }
      pair(request, with: other, isUpdate: isUpdate)
      if request.kind != .launch, name != Device.sessionEventName, !other.spelling.isLiterally(request.eventName) {
        let there = isUpdate ? "evt" : "conversion_value"
        findings.append(
          request.finding(
            .eventNameCase, "n is \(request.eventName) here and \(other.spelling) at \(there).", about: ["n"]
          ).missing(
            [.conversion, .event], about: min(other.seconds ?? .min, outOfStep.since(name)), request.seconds))
      }
      if isUpdate, let finding = reportedBefore(request, other) { findings.append(finding) }
      return
    }
    if !isUpdate, request.needsNoUpdate(firstCall: firstCall) {
      guard request.kind == .launch else { return }
      if let before = early.first, before.finding.rule == .sessionNotUpdated { report(before, app, into: &findings) }
      early = [waiting(request, name, isUpdate: false)]
      early[0].isOwnSession = request.needsOwnUpdate(firstCall: firstCall)
      return
    }
    wait(request, name, isUpdate: isUpdate, of: app, into: &findings)
  }

  /// Reports sessions of which the app never asked, once their update cannot come any more.
  private mutating func settleSessions(
    before request: CheckedRequest, of app: AppFacts, into findings: inout [TrafficFinding]
  ) {
    let now = request.seconds
    for waiting in early + forwards where waiting.isMissed(at: now) { report(waiting, app, into: &findings) }
    early.removeAll { $0.isMissed(at: now) }
    forwards.removeAll { $0.isMissed(at: now) }
  }

  /// Records whether a pair is in step: an update that was reported within a minute, with no other one waiting.
  private mutating func pair(_ request: CheckedRequest, with other: Waiting, isUpdate: Bool) {
    let name = other.name
    if !isUpdate, let then = other.seconds, let now = request.seconds, now - then <= DeviceRules.patience,
      !updates.contains(where: { $0.name == name }), !forwards.contains(where: { $0.name == name })
    {
      outOfStep.end(name)
    } else {
      outOfStep.begin(name, at: other.seconds)
    }
  }

  /// Takes a report that may be a repetition: an update that waits for it is reported.
  mutating func acceptReport(_ request: CheckedRequest) {
    let name = request.pairingName
    guard let index = updates.firstIndex(where: { $0.name == name }) else { return }
    pair(request, with: updates.remove(at: index), isUpdate: false)
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
    return finding.missing(report.missing.union(HiddenRequests.Kinds(request.reportKind)), about: reported, asked)
  }

  private mutating func wait(
    _ request: CheckedRequest, _ name: String, isUpdate: Bool, of app: AppFacts, into findings: inout [TrafficFinding]
  ) {
    var waiting = waiting(request, name, isUpdate: isUpdate)
    if isUpdate, name == Device.sessionEventName {
      // If no other report follows, the previous one belongs to this session.
      if let finding = early.first.flatMap({ reportedBefore(request, $0) }) {
        waiting.finding = finding
        waiting.missing.insert(.conversion)
      }
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
      lastCall: request.kept.lastCall, mayBeCut: !hasAsked && request.kept.firstCall != request.kept.lastCall,
      missing: isUpdate ? HiddenRequests.Kinds(request.reportKind) : .conversion,
      isOwnSession: request.kind == .launch && (hasAsked || request.kept.firstCall == request.kept.lastCall))
  }

  private func report(_ waiting: Waiting, _ app: AppFacts, into findings: inout [TrafficFinding]) {
    if isKnown(waiting, app) { findings.append(finding(waiting)) }
  }

  private func finding(_ waiting: Waiting) -> TrafficFinding {
    let start = min(waiting.seconds ?? .min, outOfStep.since(waiting.name))
    return waiting.finding.missing(waiting.missing, about: start, waiting.seconds)
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
    let sessions = early.filter { $0.finding.rule == .sessionNotUpdated }
    for waiting in updates + forwards + sessions where isKnown(waiting, app) {
      if let end, let seconds = waiting.seconds, seconds > end - DeviceRules.patience {
        open.append(waiting.finding.open(waiting.finding.rule, end: end, seconds: seconds))
      } else {
        findings.append(finding(waiting))
      }
    }
    updates = []
    forwards = []
    early = []
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
    return isOutsideWindows(firstCall: known)
  }

  /// Whether it is the report of a later session than the first, with which the app must ask for a value.
  ///
  /// The guides' sample for the first launch registers and reports the session without an update.
  fileprivate func needsOwnUpdate(firstCall known: Int64?) -> Bool {
    kind == .launch && sent["install"] != "true" && !isOutsideWindows(firstCall: known)
  }

  /// The endpoint that takes the report of an update.
  fileprivate var reportKind: EndpointKind { pairingName == Device.sessionEventName ? .launch : .event(.v1) }

  private func isOutsideWindows(firstCall known: Int64?) -> Bool {
    guard let first = kept.firstCall ?? known else { return true }
    guard let seconds else { return false }
    if metadata.hasSKAN3Names, !metadata.hasSKAN4Names, let last = kept.lastCall {
      return seconds - last >= ConversionWindow.skan3Length
    }
    return ConversionWindow.at(secondsSinceFirstCall: seconds - first) == nil
  }
}
