extension Device {
  /// The answer as the SKAN 3 snippet takes it: only upwards, no range check, the lock released on every path.
  mutating func finishSKAN3(_ answer: SnippetAnswer, at now: Instant, options: UpdateOptions) -> StepReport {
    let members: AnswerMembers
    switch read(answer) {
    case .failure(let ended): return ended
    case .success(let found): members = found
    }
    let value: KeptValue
    switch members.fine {
    case .absent: return finishWithoutValue(members)
    case .unusable(let unusable): return crash("conversion_value", unusable, sent: "intValue")
    case .value(let field): value = field
    }
    let warnings: [Warning] = value.isDocumentedNumber ? [] : [.oddType("conversion_value", value)]
    let new = value.int32
    let current = Int32(truncatingIfNeeded: kept.skan3Value ?? 0)
    guard new > current else {
      var report = StepReport(.notHigher, .notHigher(new, current: Int64(current)))
      report.warnings = warnings
      return report
    }
    var report = StepReport(.updated, .skan3Updated(new, previous: kept.skan3Value))
    let call = FrameworkCall.updateConversionValue(Int64(new))
    report.framework = call
    // `updateConversionValue` has no completion handler: what Apple thinks of it is not seen.
    report.frameworkErrorCode = options.frameworkError ?? frameworkError(for: call)
    report.handler = .skan3Value(new)
    report.warnings = warnings
    report.changesKept = true
    kept.skan3Value = Int64(new)
    kept.lastCall = now.wholeSeconds
    if !isRegistered { kept.firstCall = now.wholeSeconds }
    return report
  }
}
