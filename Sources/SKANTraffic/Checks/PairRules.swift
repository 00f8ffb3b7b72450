import SKANDevice

/// The rules that lay the two endpoints side by side: each session and each event reaches both, under one name.
struct PairRules {
  /// A request whose counterpart has not come.
  private struct Waiting {
    /// In small letters.
    var name: String
    /// As it was sent.
    var spelling: String
    /// The finding, if it never comes.
    var finding: TrafficFinding
    /// In Unix seconds.
    var seconds: Int64?
  }

  private var updates: [Waiting] = []
  private var forwards: [Waiting] = []
  private var names: Set<String> = []

  /// - Parameter firstCall: as the requests before had it.
  mutating func check(
    _ request: CheckedRequest, firstCall: Int64?, of app: AppFacts, into findings: inout [TrafficFinding]
  ) {
    guard request.device?.kind != .sdid else { return misplacedNames(request, into: &findings) }
    misplacedNames(request, into: &findings)
    let isUpdate = request.kind.forwarded == nil
    let name = request.pairingName
    let others = isUpdate ? forwards : updates
    if let index = others.firstIndex(where: { $0.name == name }) {
      let other = others[index]
      if isUpdate { forwards.remove(at: index) } else { updates.remove(at: index) }
      if request.kind != .launch, name != Device.sessionEventName, !other.spelling.isLiterally(request.eventName) {
        let there = isUpdate ? "evt" : "conversion_value"
        findings.append(
          request.finding(.eventNameCase, "n is \(request.eventName) here and \(other.spelling) at \(there)."))
      }
      return
    }
    if !isUpdate, request.needsNoUpdate(firstCall: firstCall) { return }
    wait(request, name, isUpdate: isUpdate, of: app, into: &findings)
  }

  private mutating func wait(
    _ request: CheckedRequest, _ name: String, isUpdate: Bool, of app: AppFacts, into findings: inout [TrafficFinding]
  ) {
    let what = name == Device.sessionEventName ? "a session" : request.eventName
    let finding =
      isUpdate
      ? request.finding(.eventNotForwarded, "\(what) was not reported.")
      : request.finding(.eventNotUpdated, "conversion_value was not asked with \(what).")
    let waiting = Waiting(name: name, spelling: request.eventName, finding: finding, seconds: request.seconds)
    if isUpdate { updates.append(waiting) } else { forwards.append(waiting) }
    guard max(updates.count, forwards.count) > DeviceLife.limit else { return }
    let oldest = isUpdate ? updates.removeFirst() : forwards.removeFirst()
    report(oldest, app, into: &findings)
  }

  private func report(_ waiting: Waiting, _ app: AppFacts, into findings: inout [TrafficFinding]) {
    let mayBeUnlinked = app.hasUnlinkedEvents && waiting.name != Device.sessionEventName
    if app.hasBothSides, !mayBeUnlinked { findings.append(waiting.finding) }
  }

  /// Misplaced names: `n` of a session is the app's, and a session is no event.
  private mutating func misplacedNames(_ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    let name = request.eventName
    guard request.kind == .launch else {
      if names.count < DeviceLife.limit { names.insert(name) }
      if request.isEvent, name == Device.sessionEventName {
        findings.append(request.finding(.sessionNameMisplaced, "a session is reported to evt under \(name)."))
      }
      return
    }
    if name == Device.sessionEventName || names.contains(name) {
      findings.append(request.finding(.sessionNameMisplaced, "n of launch is the app's name, it is \(name)."))
    }
  }

  /// What still waits at the end has no counterpart, but for the last minute.
  mutating func finish(_ app: AppFacts, end: Int64?, into findings: inout [TrafficFinding]) {
    for waiting in updates + forwards {
      if let end, let seconds = waiting.seconds, seconds > end - DeviceLife.patience { continue }
      report(waiting, app, into: &findings)
    }
    updates = []
    forwards = []
  }
}

extension AppFacts {
  /// Whether both endpoints were asked, by any device.
  var hasBothSides: Bool { conversions > 0 && forwarded > 0 }
}

extension CheckedRequest {
  var isEvent: Bool { if case .event = kind { true } else { false } }

  /// Whether the app has no reason to ask for a value with it: right after register, never registered, or after the
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
