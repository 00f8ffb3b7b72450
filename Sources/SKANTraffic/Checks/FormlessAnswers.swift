import SKANDevice

/// The errors in the answers to launch and evt whose form the capture lacks.
///
/// Requests of all devices come in order of time. Any request to the same endpoint within a minute may be the one that
/// failed, sent again.
struct FormlessAnswers: Sendable {
  private struct Failed {
    var finding: TrafficFinding
    /// Unix seconds.
    var seconds: Int64?
    var tries: Int
  }

  /// The last request to each endpoint that failed and was not sent again so far.
  private var failed: [EndpointKind: Failed] = [:]
  private var findings: [TrafficFinding] = []
  /// The time of the latest request, in Unix seconds.
  private var end: Int64?

  /// Adds the next request, with or without its form.
  mutating func add(_ captured: CapturedRequest, _ kind: EndpointKind) {
    let seconds = captured.at?.wholeSeconds
    if let seconds { end = max(end ?? seconds, seconds) }
    let before = kind.isReport ? settle(kind, seconds) : nil
    if !captured.lacksItsForm { return }
    guard kind.isReport else {
      let meaning = AnswerRules.Meaning(of: captured.answer, hasCoarseValues: kind.api == .v2)
      if case .flaw(let rule, let message) = meaning { add(rule, message, captured) }
      return
    }
    switch captured.reply {
    case .refused(let refusal)?: add(.requestRefused, "the answer is: \(refusal.reason).", captured)
    case .failed(let reason)?:
      let isHidden = captured.answer.status == 200
      let finding = TrafficFinding(
        isHidden ? .errorTakenAsDelivered : .failureNotRetried,
        "the answer is: \(reason); the request was not sent again.", location: captured.location, at: captured.at)
      failed[kind] = Failed(finding: finding, seconds: seconds, tries: (before?.tries ?? 0) + 1)
    case .ok?, nil: break
    }
  }

  /// Decides about the last request to an endpoint that failed.
  ///
  /// - Parameter now: the time of the next request to it.
  /// - Returns: the one that failed, if the next one may be its repetition.
  private mutating func settle(_ kind: EndpointKind, _ now: Int64?) -> Failed? {
    if failed.isEmpty { return nil }
    guard let last = failed.removeValue(forKey: kind) else { return nil }
    if let now, let then = last.seconds, now - then > DeviceRules.patience {
      report(last)
      return nil
    }
    return last
  }

  private mutating func report(_ last: Failed) {
    if last.tries < DeliveryRules.tries { findings.append(last.finding) }
  }

  private mutating func add(_ rule: TrafficRule, _ message: String, _ captured: CapturedRequest) {
    findings.append(TrafficFinding(rule, message, location: captured.location, at: captured.at))
  }

  /// The findings since the last call.
  mutating func take() -> [TrafficFinding] {
    defer { findings = [] }
    return findings
  }

  /// Decides about requests that failed and were not sent again.
  ///
  /// - Parameter open: receives those of the last minute, which may still be sent again.
  mutating func finish(open: inout [TrafficFinding]) {
    for kind in EndpointKind.reports {
      guard let last = failed.removeValue(forKey: kind) else { continue }
      if let end, let seconds = last.seconds, seconds > end - DeviceRules.patience {
        if last.tries < DeliveryRules.tries {
          open.append(last.finding.open(last.finding.rule, end: end, seconds: seconds))
        }
      } else {
        report(last)
      }
    }
  }
}
