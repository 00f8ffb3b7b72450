/// What becomes of an update before any answer.
package enum UpdateStart {
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
  /// Whether the report gets what the handler would read of the store, ``StepReport/keptInHandler``. It is a copy of the
  /// store, for which a step of a million has no time.
  package var recordsKeptInHandler = false

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
    let rules = snippet.rules
    if !traits.canUpdate, let minimum = rules.updateMinimum {
      return .ended(StepReport(.iosTooOld, .updateNeedsIOS(minimum, has: profile.ios)))
    }
    guard window(at: now) != nil else { return .ended(dropped(at: now)) }
    if process.isLockHeld {
      var report = StepReport(.blocked, .lockHeld)
      report.found = [.blocked]
      return .ended(report)
    }
    if rules.keepsAnyType, let entry = kept.poisonedEntry {
      var report = crash(.requestCrashed(entry), reason: entry.exception)
      report.found.append(.installPoisoned(entry))
      return .ended(report)
    }
    return .request
  }

  /// The rest of the update, once the answer is there; `now` is the moment of its arrival.
  package mutating func finishUpdate(
    _ answer: SnippetAnswer, at now: Instant, options: UpdateOptions = UpdateOptions()
  ) -> StepReport {
    var report = StepReport()
    switch answer {
    case .members(let members):
      // It may leave anything in the store.
      revision &+= 1
      finishUpdate(members, at: now, options: options, &report)
    case .unusable(let answer):
      hasOverwritten = false
      report = finish(answer, options)
      complete(&report, options)
    }
    return report
  }

  /// Ends an update with the documented values that an endpoint of ours gives.
  ///
  /// - Parameter report: a fresh one; becomes the report of the update, in place: returning it would copy it.
  package mutating func finishUpdate(
    _ members: AnswerMembers, at now: Instant, options: UpdateOptions = UpdateOptions(), _ report: inout StepReport
  ) {
    hasOverwritten = false
    switch snippet {
    case .skan4, .skan4Beta: finishSKAN4(members, at: now, options: options, &report)
    case .skan3: report = finishSKAN3(members, at: now, options: options)
    }
    complete(&report, options)
  }

  /// The app's completion handler runs with an error.
  mutating func runHandler(_ call: HandlerCall, _ report: inout StepReport, _ options: UpdateOptions) {
    report.handler = call
    recordKept(in: &report, options)
  }

  /// Records what the handler finds: the store as it is at this moment.
  @inline(__always)
  func recordKept(in report: inout StepReport, _ options: UpdateOptions) {
    if options.recordsKeptInHandler { report.keptInHandler = kept }
  }

  /// What every update ends with.
  @inline(__always)
  private func complete(_ report: inout StepReport, _ options: UpdateOptions) {
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

  /// The app dies and is started anew: what is kept is unchanged, the lock is gone with the process.
  mutating func crash(_ explanation: Explanation, reason: String) -> StepReport {
    relaunch()
    var report = StepReport(.crashed, explanation)
    report.crash = Crash(reason: reason)
    report.found = [.appCrashed]
    return report
  }
}
