/// The one door to Apple's framework.
extension Device {
  /// Apple's window at a moment; nil before the first call and when all are over. Versions up to 3 of an ad have none.
  package func appleWindow(at now: Instant) -> ConversionWindow? {
    framework.version?.hasWindows ?? false ? framework.window(at: now, on: traits.install) : nil
  }

  /// Calls Apple's framework; the report says where Apple and the app differ from here on, see the article "Apple's
  /// framework".
  ///
  /// - Parameter error: a `SKANErrorDomain` code with which the call fails because a tester wants it so.
  mutating func call(
    _ call: FrameworkCall, at now: Instant, failingWith error: Int64?, _ report: inout StepReport
  ) -> FrameworkAnswer {
    let answer = framework.apply(call, at: now, on: traits.install, failingWith: error)
    report.note(call, answer)
    return answer
  }
}
