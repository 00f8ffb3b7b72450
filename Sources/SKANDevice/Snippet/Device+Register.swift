extension Device {
  /// `registerAppForAdNetworkAttribution`: once in an install's life, and only on a new enough iOS.
  ///
  /// An error of the framework (`frameworkError`, a `SKANErrorDomain` code) is not seen by the snippet.
  package mutating func register(at now: Instant, frameworkError: Int64? = nil) -> StepReport {
    guard !isRegistered else {
      return StepReport(.alreadyRegistered, .alreadyRegistered(snippet, since: kept.firstCall ?? 0))
    }
    let rules = snippet.rules
    guard profile.ios >= rules.registrationMinimum else {
      return StepReport(
        .iosTooOld, .registrationNeedsIOS(rules.registrationMinimum, has: profile.ios, snippet))
    }
    hasOverwritten = false
    kept.firstCall = now.wholeSeconds
    kept.lastCall = now.wholeSeconds
    var report = StepReport(.registered, .registered(snippet, at: now.wholeSeconds))
    // The one-value form on every iOS. Neither family looks at what comes of it.
    _ = call(rules.registrationCall, at: now, failingWith: frameworkError, &report)
    if let fine = rules.registrationCall.fineValue {
      kept.persist(fine: .integer(fine), coarse: nil, lock: false, in: .p0, at: now)
    }
    return report
  }
}
