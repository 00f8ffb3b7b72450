import SKANBase

/// The result of beginning an update.
package enum UpdateStart {
  /// No request is sent; the step is over.
  case ended(StepReport)
  /// A request is sent: ``Device/request(event:)`` of the current device. The caller then calls
  /// ``Device/finishUpdate(_:at:options:)``.
  case request
}

/// The options of an update.
package struct UpdateOptions: Sendable, Equatable {
  /// Whether the app passes a completion handler.
  package var hasHandler = true
  /// The `SKANErrorDomain` code with which Apple's call fails.
  package var frameworkError: Int64?
  /// Whether the report records the store that the handler would read, ``StepReport/keptInHandler``. It is a copy,
  /// which is too expensive for each of a million steps.
  package var recordsKeptInHandler = false

  package init(hasHandler: Bool = true, frameworkError: Int64? = nil) {
    self.hasHandler = hasHandler
    self.frameworkError = frameworkError
  }
}

/// The values that Apple's completion handler will store.
package struct UpdateCompletion {
  let fine: KeptValue
  let coarse: KeptValue?
  let lock: Bool
  /// The snippet's window at the call.
  let window: ConversionWindow?
  /// The code of the error with which Apple's call fails.
  let error: Int64?
}

extension StepReport {
  /// The report of an update that waits forever for a leaked lock.
  package static var blocked: StepReport { StepReport(.blocked, .lockHeld, [.blocked]) }
}

extension Device {
  /// The name under which a session is reported.
  package static let sessionEventName = "__SESSION__"

  /// `updateConversionValuesAsync` up to its request: the checks in the snippet's order; see the article "Operations".
  package mutating func beginUpdate(at now: Instant) -> UpdateStart {
    if let report = callUpdate(at: now) ?? buildRequest() { return .ended(report) }
    return .request
  }

  /// The call of an update, which checks iOS, registration and window, and then waits for the snippet's lock.
  ///
  /// - Returns: the report of an update that ends here; nil for one that goes on.
  package func callUpdate(at now: Instant) -> StepReport? {
    if !traits.canUpdate, let minimum = snippet.rules.updateMinimum {
      return StepReport(.iosTooOld, .updateNeedsIOS(minimum, has: profile.ios))
    }
    guard window(at: now) != nil else { return dropped(at: now) }
    return process.isLockHeld ? .blocked : nil
  }

  /// Builds the request of an update that holds the lock: ``request(event:)`` of the current device.
  ///
  /// - Returns: the report of the crash when reading the store crashes the app; else nil.
  package mutating func buildRequest() -> StepReport? {
    guard snippet.rules.keepsAnyType, let entry = kept.poisonedEntry else { return nil }
    var report = crash(.requestCrashed(entry), reason: entry.exception)
    report.found.append(.installPoisoned(entry))
    return report
  }

  /// The rest of the update after the answer, which arrived at `now`.
  package mutating func finishUpdate(
    _ answer: SnippetAnswer, at now: Instant, options: UpdateOptions = UpdateOptions()
  ) -> StepReport {
    var report = StepReport()
    if let completion = receive(answer, at: now, options: options, &report) {
      store(completion, in: completion.window, at: now, options: options, &report)
    }
    end(&report, options)
    return report
  }

  /// Ends an update with the documented values that an endpoint of this program gives.
  ///
  /// - Parameter report: a fresh report, changed in place because returning it would copy it.
  package mutating func finishUpdate(
    _ members: AnswerMembers, at now: Instant, options: UpdateOptions = UpdateOptions(), _ report: inout StepReport
  ) {
    if let completion = receive(members, at: now, options: options, &report) {
      store(completion, in: completion.window, at: now, options: options, &report)
    }
    end(&report, options)
  }

  /// Takes the answer of an update up to the call of Apple's framework.
  ///
  /// - Parameter report: a fresh report; complete if there is no completion to come.
  /// - Returns: what the completion handler of Apple's call will store; nil if the update has ended.
  package mutating func receive(
    _ answer: SnippetAnswer, at now: Instant, options: UpdateOptions, _ report: inout StepReport
  ) -> UpdateCompletion? {
    switch answer {
    case .members(let members):
      // The answer may leave any value in the store.
      revision &+= 1
      return receive(members, at: now, options: options, &report)
    case .unusable(let answer):
      hasOverwritten = false
      report = finish(answer, options)
      return nil
    }
  }

  /// Takes the documented values of an answer, as the other form of this takes any answer.
  @inline(__always)
  package mutating func receive(
    _ members: AnswerMembers, at now: Instant, options: UpdateOptions, _ report: inout StepReport
  ) -> UpdateCompletion? {
    hasOverwritten = false
    switch snippet {
    case .skan4, .skan4Beta: return receiveSKAN4(members, at: now, options: options, &report)
    case .skan3:
      report = finishSKAN3(members, at: now, options: options)
      return nil
    }
  }

  /// Runs Apple's completion handler, some time after the call: the app's handler, then the store, with the window and
  /// the clock of this moment.
  package mutating func complete(
    _ completion: UpdateCompletion, at now: Instant, options: UpdateOptions, _ report: inout StepReport
  ) {
    // Another update may have stored its values since the answer.
    rememberKept()
    revision &+= 1
    store(completion, in: window(at: now), at: now, options: options, &report)
  }

  /// Runs the app's completion handler with an error.
  mutating func runHandler(_ call: HandlerCall, _ report: inout StepReport, _ options: UpdateOptions) {
    report.handler = call
    recordKept(in: &report, options)
  }

  /// Records the store as the handler finds it.
  @inline(__always)
  func recordKept(in report: inout StepReport, _ options: UpdateOptions) {
    if options.recordsKeptInHandler { report.keptInHandler = kept }
  }

  /// Adds to the report of an update that has ended what does not depend on its answer.
  @inline(__always)
  package func end(_ report: inout StepReport, _ options: UpdateOptions) {
    if !options.hasHandler {
      if report.callsHandler { report.explanation = .withoutHandler(report.explanation) }
      report.removeHandler()
    } else if !report.callsHandler, report.crash == nil {
      report.notice(.handlerNotCalled)
    }
    if !traits.hasIDFV { report.notice(.idfvMissing) }
  }

  private func dropped(at now: Instant) -> StepReport {
    if !isRegistered {
      let (needed, has) = (snippet.rules.registrationMinimum, profile.ios)
      var report = StepReport(
        .notRegistered, has < needed ? .cannotRegister(needed, has: has, snippet) : .neverRegistered)
      report.found = [.droppedUnregistered(needs: has < needed ? needed : nil)]
      return report
    }
    let (window, end) =
      switch snippet.rules.windows {
      case .fromFirstCall: ("P2", (kept.firstCall ?? 0) + ConversionWindow.p2.end)
      case .fromLastCall: ("The 24 hours after the last call", (kept.lastCall ?? 0) + ConversionWindow.skan3Length)
      }
    var report = StepReport(.windowOver, .windowClosed(window: window, at: end, now: now.wholeSeconds))
    report.found = [.droppedWindowOver]
    return report
  }

  /// Restarts the app after a crash: the store is unchanged, the lock is free.
  mutating func crash(_ explanation: Explanation, reason: String) -> StepReport {
    relaunch()
    var report = StepReport(.crashed, explanation)
    report.crash = Crash(reason: reason)
    report.found = [.appCrashed]
    return report
  }
}

/// The handling of answers that both families of the snippet share.
extension Device {
  /// Ends an update whose answer is not an object.
  mutating func finish(_ answer: SnippetAnswer.Unusable, _ options: UpdateOptions) -> StepReport {
    switch answer {
    case .failure(let error):
      var report = StepReport(.transportError, .noAnswer(error))
      runHandler(.error(error, from: snippet), &report, options)
      return report
    case .unparsable(let why):
      var report = StepReport(.unparsable, .notJSON(why))
      runHandler(.error(Self.parsingError, from: snippet), &report, options)
      return report
    case .array:
      return crash(
        .answerCrashed("The answer is a JSON array instead of an object"),
        reason: "-[__NSArrayM objectForKey:]: unrecognized selector sent to instance (the answer is a JSON array)")
    }
  }

  /// Ends an update whose answer has no `conversion_value`, by its `status` and `reason`.
  mutating func finishWithoutValue(_ status: StatusVerdict, _ options: UpdateOptions) -> StepReport {
    switch status {
    case .ok: return StepReport(.noUpdate, .nothingToUpdate)
    case .error(let message):
      var report = StepReport(.serverError, .refused(message))
      runHandler(.error(message, from: snippet), &report, options)
      return report
    case .crash(let status): return crash("status", status, sent: "isEqualToString:")
    }
  }

  /// Crashes the app: a message was sent to an object that does not respond to it.
  mutating func crash(
    _ field: String, _ value: UnusableValue, sent selector: String, after warnings: [Warning] = []
  ) -> StepReport {
    var report = crash(
      .answerCrashed("The answer's \(field) is \(value.displayText)"),
      reason: "-[\(value.foundationClass) \(selector)]: unrecognized selector sent to instance "
        + "(\(field) is \(value.displayText))")
    report.found +=
      warnings + [.oddType(field: field, value: value.displayText, expected: Warning.documented[field] ?? "")]
    return report
  }

  /// The warning about an answer that names another postback, which the snippet ignores.
  @inline(__always)
  func indexWarning(_ answer: AnswerMembers, _ window: ConversionWindow?) -> Warning? {
    guard let index = answer.index else { return nil }
    if case .number(let number) = index, let window, number == Int64(window.rawValue) { return nil }
    return .indexMismatch(index: index.displayText, window: window)
  }
}

extension Warning {
  /// The documented values of an answer's fields.
  static let documented = [
    "conversion_value": "a whole number, 0-63", "skan_updated_coarse_value": "a whole number, 0-2",
    "skan_updated_lock_window_value": "true or false", "status": "a string",
  ]

  static func oddType(_ field: String, _ value: KeptValue) -> Warning {
    .oddType(field: field, value: value.displayText, expected: documented[field] ?? "")
  }
}

extension KeptValue {
  /// Whether the value is an integer, in any notation.
  var isDocumentedNumber: Bool {
    switch self {
    case .integer, .unsigned: true
    case .double(let number): number == number.rounded()
    case .bool, .string: false
    }
  }

  /// The result of `boolValue`.
  var isTruthy: Bool {
    switch self {
    case .integer(let number): number != 0
    case .unsigned: true
    case .double(let number): number != 0
    case .bool(let flag): flag
    case .string(let text): text.isTruthy
    }
  }
}

extension Device {
  static let parsingError = "Failed parsing server response"
  /// Spelled as in the snippet.
  static let illegalValuesError = "Illegal values recieved"

  /// Handles the answer in the order of the SKAN 4 snippet; see the article "Operations".
  @inline(__always)
  mutating func receiveSKAN4(
    _ members: AnswerMembers, at now: Instant, options: UpdateOptions, _ report: inout StepReport
  ) -> UpdateCompletion? {
    // The lock is read first, even if there is no conversion value.
    var warnings: [Warning] = []
    let lock: Bool
    switch members.lock {
    case .absent: lock = false
    case .unusable(let value):
      report = crash("skan_updated_lock_window_value", value, sent: "boolValue", after: warnings)
      return nil
    case .value(let value):
      lock = value.isTruthy
      if case .bool = value {} else { warnings.append(.oddType("skan_updated_lock_window_value", value)) }
    }

    let fine: KeptValue
    switch members.fine {
    case .absent(let status):
      report = withoutValue(status, warnings, options)
      return nil
    case .unusable(let value):
      report = crash("conversion_value", value, sent: "intValue", after: warnings)
      return nil
    case .value(let value): fine = value
    }
    if !fine.isDocumentedNumber { warnings.append(.oddType("conversion_value", fine)) }
    guard StoreEntry.Kind.fineValues.contains(Int64(fine.int32)) else {
      report = illegal(.illegalValue(fine), warnings, options)
      return nil
    }

    var coarse: KeptValue?
    switch members.coarse {
    case .absent: break
    case .unusable(let value):
      report = crash("skan_updated_coarse_value", value, sent: "intValue", after: warnings)
      return nil
    case .value(let value): coarse = value
    }
    if let coarse {
      if !coarse.isDocumentedNumber { warnings.append(.oddType("skan_updated_coarse_value", coarse)) }
      // The beta checks for a number that is above 2 and below 0, which no number is.
      guard !snippet.rules.checksCoarseValues || StoreEntry.Kind.coarseValues.contains(Int64(coarse.int32)) else {
        report = illegal(.illegalCoarse(coarse), warnings, options)
        return nil
      }
    }

    rememberKept()
    if !isRegistered { kept.firstCall = now.wholeSeconds }
    let window = window(at: now)
    guard traits.canTakeAnswer else {
      report = StepReport(.iosTooOld, .answerNeedsIOS(has: profile.ios))
      if !warnings.isEmpty { report.found = warnings }
      report.changesKept = hasChangedKept
      return nil
    }
    if let warning = indexWarning(members, window) { warnings.append(warning) }
    let completion = callApple(fine: fine, coarse: coarse, lock: lock, window, at: now, options: options, &report)
    if !warnings.isEmpty { report.found = warnings + report.found }
    return completion
  }

  @inline(__always)
  private mutating func callApple(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, _ window: ConversionWindow?, at now: Instant,
    options: UpdateOptions, _ report: inout StepReport
  ) -> UpdateCompletion {
    let call: FrameworkCall =
      traits.hasCoarseValueUpdate
      ? .updatePostbackCoarse(fine: fine.int64, coarse: coarse.flatMap { CoarseValue($0) }, lock: lock)
      : .updatePostback(fine: fine.int64)
    report.setUpdated(fine: fine, coarse: coarse, lock: lock, window, previous: kept.value(.fineValue))
    let answer = self.call(call, at: now, failingWith: options.frameworkError, &report)
    return UpdateCompletion(
      fine: fine, coarse: coarse, lock: lock, window: window, error: answer.handlerError)
  }

  /// The handler and then the store, also after an error of Apple's call.
  @inline(__always)
  private mutating func store(
    _ completion: UpdateCompletion, in window: ConversionWindow?, at now: Instant, options: UpdateOptions,
    _ report: inout StepReport
  ) {
    let (fine, coarse, lock) = (completion.fine, completion.coarse, completion.lock)
    if let error = completion.error {
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
    // The store was readable before the answer, or no request would have been sent.
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

  /// Handles the answer like the SKAN 3 snippet: accepts only higher values, checks no range and always releases the
  /// lock.
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
    // `updateConversionValue` has no completion handler, so its result is not visible.
    _ = call(.updateConversionValue(Int64(new)), at: now, failingWith: options.frameworkError, &report)
    if !warnings.isEmpty { report.found = warnings + report.found }
    report.changesKept = true
    rememberKept()
    kept.skan3Value = Int64(new)
    kept.lastCall = now.wholeSeconds
    if !isRegistered { kept.firstCall = now.wholeSeconds }
    // Unlike in SKAN 4, the values are stored before the handler runs.
    report.passValues(.skan3Value(new))
    recordKept(in: &report, options)
    return report
  }
}

extension StepReport {
  /// Explains why an endpoint refused a request without a fine value. Only a phone updated from SKAN 3 has none, and it
  /// cannot get one while requests without it are refused.
  package mutating func explainRefusal(of device: Device) {
    guard device.snippet.rules.valueEntry == .fineValue, device.kept.fineValue == nil else { return }
    switch explanation {
    case .refused(let reason) where reason.contains(StoreEntry.fineValue.name):
      explanation = .refusedWithoutCurrentValue(reason)
    case .withoutHandler(.refused(let reason)) where reason.contains(StoreEntry.fineValue.name):
      explanation = .withoutHandler(.refusedWithoutCurrentValue(reason))
    default: return
    }
    found.append(.currentValueMissing)
  }
}
