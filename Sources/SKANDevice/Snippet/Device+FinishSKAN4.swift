extension Device {
  static let parsingError = "Failed parsing server response"
  /// Spelled as in the snippet.
  static let illegalValuesError = "Illegal values recieved"

  /// The answer in the order in which the SKAN 4 snippet looks at it; see the article "Operations".
  mutating func finishSKAN4(_ answer: SnippetAnswer, at now: Instant, options: UpdateOptions) -> StepReport {
    let members: AnswerMembers
    switch read(answer) {
    case .failure(let ended): return ended
    case .success(let found): members = found
    }

    // The lock is read before all else, also when there is no conversion value.
    var warnings: [Warning] = []
    let lock: Bool
    switch members.lock {
    case .absent: lock = false
    case .unusable(let value): return crash("skan_updated_lock_window_value", value, sent: "boolValue", after: warnings)
    case .value(let value):
      lock = value.isTruthy
      if case .bool = value {} else { warnings.append(.oddType("skan_updated_lock_window_value", value)) }
    }

    let fine: KeptValue
    switch members.fine {
    case .absent: return withoutValue(members, warnings: warnings)
    case .unusable(let value): return crash("conversion_value", value, sent: "intValue", after: warnings)
    case .value(let value): fine = value
    }
    if !fine.isDocumentedNumber { warnings.append(.oddType("conversion_value", fine)) }
    guard (0...63).contains(fine.int32) else { return illegal(.illegalValue(fine), warnings) }

    var coarse: KeptValue?
    switch members.coarse {
    case .absent: break
    case .unusable(let value): return crash("skan_updated_coarse_value", value, sent: "intValue", after: warnings)
    case .value(let value): coarse = value
    }
    if let coarse {
      if !coarse.isDocumentedNumber { warnings.append(.oddType("skan_updated_coarse_value", coarse)) }
      // The beta's check asks for a number above 2 and below 0 at once, which none is.
      guard snippet == .skan4Beta || (0...2).contains(coarse.int32) else {
        return illegal(.illegalCoarse(coarse), warnings)
      }
    }

    let setsFirstCall = !isRegistered && kept.firstCall != now.wholeSeconds
    if setsFirstCall { kept.firstCall = now.wholeSeconds }
    guard profile.ios >= .singleValueUpdate else {
      var report = StepReport(.iosTooOld, .answerNeedsIOS(has: profile.ios))
      report.warnings = warnings
      report.changesKept = setsFirstCall
      return report
    }
    let window = window(at: now)
    if let warning = indexWarning(members, window) { warnings.append(warning) }
    var report = update(fine: fine, coarse: coarse, lock: lock, window, at: now, options: options)
    if !warnings.isEmpty { report.warnings = warnings + report.warnings }
    if setsFirstCall { report.changesKept = true }
    return report
  }

  /// Apple's call, the handler, and then the store: in this order, and the last two also after an error.
  private mutating func update(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, _ window: ConversionWindow?, at now: Instant,
    options: UpdateOptions
  ) -> StepReport {
    let call: FrameworkCall =
      profile.ios >= .coarseValueUpdate
      ? .updatePostbackCoarse(fine: fine.int64, coarse: coarse.flatMap { CoarseValue($0) }, lock: lock)
      : .updatePostback(fine: fine.int64)
    let error = options.frameworkError ?? frameworkError(for: call)
    var report: StepReport
    if let error {
      report = StepReport(.frameworkError, .frameworkFailed(code: error))
      report.handler = .failed("SKANErrorDomain error \(error)")
      report.warnings.append(.frameworkErrorKept(error))
    } else {
      report = StepReport(
        .updated, .updated(fine: fine, coarse: coarse, lock: lock, window, previous: kept.fineValue))
      report.handler = .values(fine: fine, coarse: coarse, lock: lock)
      if let window, isLocked(window), let since = kept.windowLock[window] {
        report.warnings.append(.ignoredAfterLock(window, since: since))
      }
    }
    report.framework = call
    report.frameworkErrorCode = error
    if coarse == nil, let window, kept.coarseValue[window] != nil { report.warnings.append(.coarseCleared(window)) }
    let wasReadable = kept.poisonedEntry == nil
    report.changesKept = kept.persist(fine: fine, coarse: coarse, lock: lock, in: window, at: now)
    if wasReadable, let entry = kept.poisonedEntry { report.warnings.append(.installPoisoned(entry)) }
    return report
  }

  private mutating func withoutValue(_ answer: AnswerMembers, warnings: [Warning]) -> StepReport {
    var report = finishWithoutValue(answer)
    report.warnings = warnings + report.warnings
    return report
  }

  private mutating func illegal(_ explanation: Explanation, _ warnings: [Warning]) -> StepReport {
    process.isLockHeld = true
    var report = StepReport(.illegalValues, explanation)
    report.handler = .failed(Self.illegalValuesError)
    report.warnings = warnings + [.lockLeaked]
    return report
  }
}
