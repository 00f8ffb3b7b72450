extension Device {
  static let parsingError = "Failed parsing server response"
  /// Spelled as in the snippet.
  static let illegalValuesError = "Illegal values recieved"

  /// The answer in the order in which the SKAN 4 snippet looks at it; see the article "Operations".
  mutating func finishSKAN4(
    _ members: AnswerMembers, at now: Instant, options: UpdateOptions, _ report: inout StepReport
  ) {
    // The lock is read before all else, also when there is no conversion value.
    var warnings: [Warning] = []
    let lock: Bool
    switch members.lock {
    case .absent: lock = false
    case .unusable(let value):
      report = crash("skan_updated_lock_window_value", value, sent: "boolValue", after: warnings)
      return
    case .value(let value):
      lock = value.isTruthy
      if case .bool = value {} else { warnings.append(.oddType("skan_updated_lock_window_value", value)) }
    }

    let fine: KeptValue
    switch members.fine {
    case .absent(let status):
      report = withoutValue(status, warnings, options)
      return
    case .unusable(let value):
      report = crash("conversion_value", value, sent: "intValue", after: warnings)
      return
    case .value(let value): fine = value
    }
    if !fine.isDocumentedNumber { warnings.append(.oddType("conversion_value", fine)) }
    guard StoreEntry.Kind.fineValues.contains(Int64(fine.int32)) else {
      report = illegal(.illegalValue(fine), warnings, options)
      return
    }

    var coarse: KeptValue?
    switch members.coarse {
    case .absent: break
    case .unusable(let value):
      report = crash("skan_updated_coarse_value", value, sent: "intValue", after: warnings)
      return
    case .value(let value): coarse = value
    }
    if let coarse {
      if !coarse.isDocumentedNumber { warnings.append(.oddType("skan_updated_coarse_value", coarse)) }
      // The beta's check asks for a number above 2 and below 0 at once, which none is.
      guard !snippet.rules.checksCoarseValues || StoreEntry.Kind.coarseValues.contains(Int64(coarse.int32)) else {
        report = illegal(.illegalCoarse(coarse), warnings, options)
        return
      }
    }

    rememberKept()
    if !isRegistered { kept.firstCall = now.wholeSeconds }
    let window = window(at: now)
    guard traits.canTakeAnswer else {
      report = StepReport(.iosTooOld, .answerNeedsIOS(has: profile.ios))
      if !warnings.isEmpty { report.found = warnings }
      report.changesKept = hasChangedKept
      return
    }
    if let warning = indexWarning(members, window) { warnings.append(warning) }
    update(fine: fine, coarse: coarse, lock: lock, window, at: now, options: options, &report)
    if !warnings.isEmpty { report.found = warnings + report.found }
  }

  /// Apple's call, the handler, and then the store: in this order, and the last two also after an error.
  private mutating func update(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, _ window: ConversionWindow?, at now: Instant,
    options: UpdateOptions, _ report: inout StepReport
  ) {
    let call: FrameworkCall =
      traits.hasCoarseValueUpdate
      ? .updatePostbackCoarse(fine: fine.int64, coarse: coarse.flatMap { CoarseValue($0) }, lock: lock)
      : .updatePostback(fine: fine.int64)
    report.setUpdated(fine: fine, coarse: coarse, lock: lock, window, previous: kept.value(.fineValue))
    let answer = self.call(call, at: now, failingWith: options.frameworkError, &report)
    if let error = answer.handlerError {
      report.outcome = .frameworkError
      report.explanation = .frameworkFailed(code: error)
      runHandler(.failed("SKANErrorDomain error \(error)"), &report, options)
    } else {
      report.passValues(.values(fine: fine, coarse: coarse, lock: lock))
      recordKept(in: &report, options)
    }
    if coarse == nil, let window, kept.value(.coarseValue(window)) != nil {
      report.notice(.coarseCleared)
    }
    kept.persist(fine: fine, coarse: coarse, lock: lock, in: window, at: now)
    report.changesKept = hasChangedKept
    // Before the answer the store was readable, or no request would have gone out.
    if fine.isString || coarse?.isString ?? false, let entry = kept.poisonedEntry {
      report.found.append(.installPoisoned(entry))
    }
  }

  private mutating func withoutValue(
    _ status: StatusVerdict, _ warnings: [Warning], _ options: UpdateOptions
  ) -> StepReport {
    var report = finishWithoutValue(status, options)
    if !warnings.isEmpty { report.found = warnings + report.found }
    return report
  }

  private mutating func illegal(
    _ explanation: Explanation, _ warnings: [Warning], _ options: UpdateOptions
  ) -> StepReport {
    process.isLockHeld = true
    var report = StepReport(.illegalValues, explanation)
    runHandler(.failed(Self.illegalValuesError), &report, options)
    report.found = warnings + [.lockLeaked]
    return report
  }
}
