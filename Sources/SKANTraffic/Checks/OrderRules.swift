import SKANDevice

/// The rules about the order and the times of sessions and events.
struct OrderRules {
  private var hasSession = false
  private var hasInstallSession = false
  /// The finding at the first event before any session; nil after it was reported.
  private var firstEvent: TrafficFinding?
  private var hasEvent = false
  /// Unix seconds.
  private var lastStated: Int64?
  /// Whether the last time was in the future, which was already reported.
  private var isAhead = false

  mutating func check(_ request: CheckedRequest, isFresh: Bool, into findings: inout [TrafficFinding]) {
    switch request.kind {
    case .conversionValue: return
    case .launch: session(isInstall: request.sent["install"] == "true", request, into: &findings)
    case .event:
      if !hasSession, !hasEvent, request.device?.kind != .sdid {
        firstEvent = request.finding(.eventBeforeSession, "the device has no session yet.")
          .missing(
            .launch, from: request.kept.firstCall.map(Absence.start),
            to: request.seconds)
      }
      hasEvent = true
    }
    // A capture that begins during a session also has an event first.
    if isFresh, !hasSession { reportFirstEvent(into: &findings) }
    guard let stated = request.statedMilliseconds.map({ $0 / 1000 }) else { return }
    if let lastStated, stated < lastStated {
      findings.append(
        request.finding(
          .timeWentBack, "its time is \(lastStated - stated) s before that of the previous request.",
          about: request.timeNames))
    }
    lastStated = stated
    ahead(stated, request, into: &findings)
  }

  /// Reports a time after the request was sent.
  private mutating func ahead(_ stated: Int64, _ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    guard let sent = request.captured.at?.wholeSeconds else { return }
    let wasAhead = isAhead
    isAhead = stated - sent > StateRules.clockTolerance
    if isAhead, !wasAhead {
      findings.append(
        request.finding(.timeAhead, "its time is \(stated - sent) s after it was sent.", about: request.timeNames))
    }
  }

  private mutating func session(isInstall: Bool, _ request: CheckedRequest, into findings: inout [TrafficFinding]) {
    if isInstall {
      if hasInstallSession {
        findings.append(
          request.finding(
            .installRepeated, "install is true, and it was for an earlier session.", about: ["install"]))
      } else if !hasSession {
        reportFirstEvent(into: &findings)
      }
      hasInstallSession = true
    }
    hasSession = true
    firstEvent = nil
  }

  private mutating func reportFirstEvent(into findings: inout [TrafficFinding]) {
    if let firstEvent { findings.append(firstEvent) }
    firstEvent = nil
  }

  /// Starts again for another install, but keeps the last time.
  mutating func beginInstall() {
    let lastStated = lastStated
    self = OrderRules()
    self.lastStated = lastStated
  }

  /// Reports events of a device that had no session.
  mutating func finish(into findings: inout [TrafficFinding]) {
    if !hasSession { reportFirstEvent(into: &findings) }
  }
}
