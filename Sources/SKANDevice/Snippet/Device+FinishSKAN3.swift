extension Device {
  /// The answer as the SKAN 3 snippet takes it: only upwards, no range check, the lock released on every path.
  mutating func finishSKAN3(_ members: AnswerMembers, at now: Instant, options: UpdateOptions) -> StepReport {
    let value: KeptValue
    switch members.fine {
    case .absent(let status): return finishWithoutValue(status, options)
    case .unusable(let unusable): return crash("conversion_value", unusable, sent: "intValue")
    case .value(let field): value = field
    }
    let warnings: [Warning] = value.isDocumentedNumber ? [] : [.oddType("conversion_value", value)]
    let new = value.int32
    let current = Int32(truncatingIfNeeded: kept.skan3Value ?? 0)
    guard new > current else {
      var report = StepReport.notHigher(new, current: Int64(current))
      if !warnings.isEmpty { report.found = warnings }
      return report
    }
    var report = StepReport.skan3Updated(new, previous: kept.skan3Value)
    // `updateConversionValue` has no completion handler: what Apple thinks of it is not seen.
    _ = call(.updateConversionValue(Int64(new)), at: now, failingWith: options.frameworkError, &report)
    if !warnings.isEmpty { report.found = warnings + report.found }
    report.changesKept = true
    rememberKept()
    kept.skan3Value = Int64(new)
    kept.lastCall = now.wholeSeconds
    if !isRegistered { kept.firstCall = now.wholeSeconds }
    // Unlike in SKAN 4 the values are kept before.
    report.passValues(.skan3Value(new))
    recordKept(in: &report, options)
    return report
  }
}
