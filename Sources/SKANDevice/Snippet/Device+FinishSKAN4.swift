import SKANJSON

extension Device {
  static let parsingError = "Failed parsing server response"
  /// Spelled as in the snippet.
  static let illegalValuesError = "Illegal values recieved"

  /// The answer in the order in which the SKAN 4 snippet looks at it; see the article "Operations".
  mutating func finishSKAN4(_ answer: EndpointAnswer, at now: Instant, options: UpdateOptions) -> StepReport {
    let object: JSONNode
    switch read(answer) {
    case .failure(let ended): return ended
    case .success(let node): object = node
    }

    // The lock is read before all else, also when there is no conversion value.
    var warnings: [Warning] = []
    let lock: Bool
    switch AnswerField(object.member("skan_updated_lock_window_value")) {
    case .absent: lock = false
    case .unusable(let node): return crash("skan_updated_lock_window_value", node, sent: "boolValue", after: warnings)
    case .value(let value):
      lock = value.isTruthy
      if case .bool = value {} else { warnings.append(.oddType("skan_updated_lock_window_value", value)) }
    }

    let fine: KeptValue
    switch AnswerField(object.member("conversion_value")) {
    case .absent: return withoutValue(object, warnings: warnings)
    case .unusable(let node): return crash("conversion_value", node, sent: "intValue", after: warnings)
    case .value(let value): fine = value
    }
    if !fine.isDocumentedNumber { warnings.append(.oddType("conversion_value", fine)) }
    guard (0...63).contains(fine.int32) else { return illegal(.illegalValue(fine), warnings) }

    var coarse: KeptValue?
    switch AnswerField(object.member("skan_updated_coarse_value")) {
    case .absent: break
    case .unusable(let node): return crash("skan_updated_coarse_value", node, sent: "intValue", after: warnings)
    case .value(let value): coarse = value
    }
    if let coarse {
      if !coarse.isDocumentedNumber { warnings.append(.oddType("skan_updated_coarse_value", coarse)) }
      // The beta's check asks for a number above 2 and below 0 at once, which none is.
      guard snippet == .skan4Beta || (0...2).contains(coarse.int32) else {
        return illegal(.illegalCoarse(coarse), warnings)
      }
    }

    if !isRegistered { kept.firstCall = now.wholeSeconds }
    guard profile.ios >= .singleValueUpdate else {
      var report = StepReport(.iosTooOld, .answerNeedsIOS(has: profile.ios))
      report.warnings = warnings
      return report
    }
    var report = update(fine: fine, coarse: coarse, lock: lock, at: now, options: options)
    report.warnings = warnings + indexWarnings(object, at: now) + report.warnings
    return report
  }

  /// Apple's call, the handler, and then the store: in this order, and the last two also after an error.
  private mutating func update(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, at now: Instant, options: UpdateOptions
  ) -> StepReport {
    let window = window(at: now)
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
    report.framework = [call]
    report.frameworkErrorCode = error
    if coarse == nil, let window, kept.coarseValue[window] != nil { report.warnings.append(.coarseCleared(window)) }
    let wasReadable = (try? kept.checkReadable()) != nil
    persist(fine: fine, coarse: coarse, lock: lock, at: now)
    do throws(PoisonedEntry) {
      try kept.checkReadable()
    } catch  where wasReadable {
      report.warnings.append(.installPoisoned(error))
    } catch {}
    return report
  }

  /// `valuesHasBeenUpdated`: what is written depends on the window at this moment; the last call always is.
  mutating func persist(fine: KeptValue, coarse: KeptValue?, lock: Bool, at now: Instant) {
    if let window = window(at: now) {
      if window == .p0 {
        kept.previousFineValue = kept.fineValue
        kept.fineValue = fine
      }
      kept.previousCoarseValue[window] = kept.coarseValue[window]
      kept.coarseValue[window] = coarse
      if lock { kept.windowLock[window] = now.wholeSeconds }
    }
    kept.lastCall = now.wholeSeconds
  }

  private mutating func withoutValue(_ answer: JSONNode, warnings: [Warning]) -> StepReport {
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
