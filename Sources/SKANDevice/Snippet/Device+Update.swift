/// What becomes of an update before any answer.
package enum UpdateStart: Sendable {
  /// No request goes out; the step is over.
  case ended(StepReport)
  /// A request goes out: ``Device/request(event:)`` of the device as it is now. ``Device/finishUpdate(_:at:options:)``
  /// comes next.
  case request
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
  package mutating func beginUpdate(at now: Instant) -> UpdateStart {
    let isSKAN4 = snippet.isSKAN4
    if !isSKAN4, profile.ios < .conversionValueUpdate {
      return .ended(StepReport(.iosTooOld, .updateNeedsIOS(.conversionValueUpdate, has: profile.ios)))
    }
    guard window(at: now) != nil else { return .ended(dropped(at: now)) }
    if process.isLockHeld {
      var report = StepReport(.blocked, .lockHeld)
      report.warnings = [.blocked]
      return .ended(report)
    }
    // SKAN 3's request reads nothing that can be poisoned.
    if isSKAN4, let entry = kept.poisonedEntry {
      var report = crash(.requestCrashed(entry), reason: entry.exception)
      report.warnings.append(.installPoisoned(entry))
      return .ended(report)
    }
    return .request
  }

  /// The rest of the update, once the answer is there; `now` is the moment of its arrival.
  package mutating func finishUpdate(
    _ answer: SnippetAnswer, at now: Instant, options: UpdateOptions = UpdateOptions()
  ) -> StepReport {
    var report =
      snippet.isSKAN4
      ? finishSKAN4(answer, at: now, options: options) : finishSKAN3(answer, at: now, options: options)
    if !options.hasHandler {
      if report.handler != nil { report.explanation = .withoutHandler(report.explanation) }
      report.handler = nil
    } else if report.handler == nil, report.crash == nil {
      report.warnings.insert(.handlerNotCalled, at: 0)
    }
    if profile.idfv?.isEmpty ?? true { report.warnings.append(.idfvMissing) }
    if report.changesKept { report.warnings.append(.detailsStale) }
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

  /// The app dies and is started anew: what is kept is unchanged, the lock is gone with the process.
  mutating func crash(_ explanation: Explanation, reason: String) -> StepReport {
    relaunch()
    var report = StepReport(.crashed, explanation)
    report.crash = Crash(reason: reason)
    report.warnings = [.appCrashed]
    return report
  }
}
