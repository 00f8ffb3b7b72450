/// What becomes of an update before any answer.
package enum UpdateStart: Sendable {
  /// No request goes out; the step is over.
  case ended(StepReport)
  /// The request that goes out, for ``Device/finishUpdate(_:answer:at:options:)``.
  case request(ConversionRequest)
}

/// What a tester can set for one update.
package struct UpdateOptions: Sendable, Equatable {
  /// The app passed a completion handler.
  package var hasHandler = true
  /// The `SKANErrorDomain` code with which Apple's call fails.
  package var frameworkError: Int64?

  package init(hasHandler: Bool = true, frameworkError: Int64? = nil) {
    self.hasHandler = hasHandler
    self.frameworkError = frameworkError
  }
}

extension Device {
  /// The name under which a session is reported.
  package static let sessionEventName = "__SESSION__"

  /// `updateConversionValuesAsync`, up to its request: the checks in their order; see the article "Operations".
  package mutating func beginUpdate(event name: String, at now: Instant) -> UpdateStart {
    if !snippet.isSKAN4, profile.ios < .conversionValueUpdate {
      return .ended(StepReport(.iosTooOld, .updateNeedsIOS(.conversionValueUpdate, has: profile.ios)))
    }
    guard window(at: now) != nil else { return .ended(dropped(at: now)) }
    if process.isLockHeld {
      var report = StepReport(.blocked, .lockHeld)
      report.warnings = [.blocked]
      return .ended(report)
    }
    do throws(PoisonedEntry) {
      _ = try poisonCheck()
    } catch {
      var report = crash(.requestCrashed(error), reason: error.exception, keptBefore: nil)
      report.warnings.append(.installPoisoned(error))
      return .ended(report)
    }
    return .request(ConversionRequest(profile: profile, eventName: name, kept: kept))
  }

  /// The rest of the update, once the answer is there; `now` is the moment of its arrival.
  package mutating func finishUpdate(
    _ request: ConversionRequest, answer: EndpointAnswer, at now: Instant, options: UpdateOptions = UpdateOptions()
  ) -> StepReport {
    var report =
      snippet.isSKAN4
      ? finishSKAN4(answer, at: now, options: options) : finishSKAN3(answer, at: now, options: options)
    report.request = request
    report.answer = answer
    report.keptBefore = request.kept
    if !options.hasHandler {
      if report.handler != nil { report.explanation = .withoutHandler(report.explanation) }
      report.handler = nil
    }
    if options.hasHandler, report.handler == nil, report.crash == nil {
      report.warnings.insert(.handlerNotCalled, at: 0)
    }
    if (profile.idfv ?? "").isEmpty { report.warnings.append(.idfvMissing) }
    if request.kept != kept { report.warnings.append(.detailsStale) }
    return report
  }

  private func dropped(at now: Instant) -> StepReport {
    if !isRegistered {
      var report = StepReport(.notRegistered, .neverRegistered)
      report.warnings = [.droppedUnregistered]
      return report
    }
    let explanation: Explanation =
      snippet.isSKAN4
      ? .windowClosed(
        window: "P2", at: (kept.firstCall ?? 0) + ConversionWindow.p2.end, now: now.wholeSeconds)
      : .windowClosed(
        window: "The 24 hours after the last call", at: (kept.lastCall ?? 0) + ConversionWindow.skan3Length,
        now: now.wholeSeconds)
    var report = StepReport(.windowOver, explanation)
    report.warnings = [.droppedWindowOver]
    return report
  }

  /// Whether the store can be read for a request; SKAN 3's request reads nothing that can be poisoned.
  private func poisonCheck() throws(PoisonedEntry) {
    guard snippet.isSKAN4 else { return }
    try kept.checkReadable()
  }

  /// The app dies and is started anew: what is kept is unchanged, the lock is gone with the process.
  mutating func crash(_ explanation: Explanation, reason: String, keptBefore: KeptState?) -> StepReport {
    relaunch()
    var report = StepReport(.crashed, explanation)
    report.crash = Crash(reason: reason)
    report.warnings = [.appCrashed]
    report.keptBefore = keptBefore
    return report
  }
}

extension KeptState {
  /// Reads the entries in which an answer can leave a string.
  package func checkReadable() throws(PoisonedEntry) {
    try check(fineValue, .fineValue)
    try check(previousFineValue, .previousFineValue)
    for window in ConversionWindow.allCases {
      try check(coarseValue[window], .coarseValue(window))
      try check(previousCoarseValue[window], .previousCoarseValue(window))
    }
  }

  private func check(_ value: KeptValue?, _ key: KeptKey) throws(PoisonedEntry) {
    if let value, case .string = value { throw PoisonedEntry(key: key, value: value) }
  }
}

extension PoisonedEntry {
  /// The exception that reading the entry raises.
  var exception: String {
    "-[__NSCFString stringValue]: unrecognized selector sent to instance (\(key.name) holds the string \(shown))"
  }
}
