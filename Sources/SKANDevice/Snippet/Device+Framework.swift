/// The one door to Apple's framework.
extension Device {
  /// Apple's window at a moment; nil before the first call and when all are over. Versions up to 3 of an ad have none.
  package func appleWindow(at now: Instant) -> ConversionWindow? {
    framework.version?.hasWindows ?? false ? framework.window(at: now, on: traits.install) : nil
  }

  /// Calls Apple's framework, and notes in the report where Apple and the app differ from here on; see the article
  /// "Apple's framework".
  ///
  /// - Parameters:
  ///   - error: a `SKANErrorDomain` code with which the call fails because a tester wants it so.
  ///   - window: of an update of SKAN 4, the one that the snippet takes it to be, which may be none.
  mutating func call(
    _ call: FrameworkCall, at now: Instant, failingWith error: Int64?, window: ConversionWindow?? = nil,
    _ report: StepReport
  ) -> FrameworkAnswer {
    let answer = framework.apply(call, at: now, on: traits.install, failingWith: error)
    report.framework = call
    report.frameworkAnswer = answer
    switch answer.fate {
    case .taken(let held): if let window, held != window { report.found.append(.windowsDiffer(window, apple: held)) }
    case .registered, .alreadyRegistered: break
    case .organic: report.found.append(.organicInstall)
    case .refused(let code): report.found.append(.frameworkErrorKept(code))
    case .locked(let locked, let since): report.found.append(.ignoredAfterLock(locked, since: since))
    case .unknownVersion, .tooLate, .windowsOver, .final, .notHigher, .fineOnly:
      report.found.append(.ignoredByApple(answer.fate))
    }
    return answer
  }
}
