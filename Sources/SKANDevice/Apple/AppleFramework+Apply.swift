extension AppleFramework {
  /// Takes a call; see the article "Apple's framework".
  ///
  /// Nothing is allocated here: a long list makes this call a million times a second.
  ///
  /// - Parameter error: a `SKANErrorDomain` code with which the call fails because a tester wants it so; nothing is
  ///   changed then.
  package mutating func apply(
    _ call: FrameworkCall, at now: Instant, on install: InstallTraits, failingWith error: Int64? = nil
  ) -> FrameworkAnswer {
    if let error { return .refused(call, error) }
    if install.build == .development { return .refused(call, SKANErrorCode.unknown.rawValue) }
    guard let version = version ?? install.adVersion, install.isAttributed else {
      return FrameworkAnswer(install.isAttributed ? .unknownVersion : .organic, of: call)
    }
    if let fine = call.fineValue, !(0...63).contains(fine) {
      return .refused(call, SKANErrorCode.invalidConversionValue.rawValue)
    }
    let moment = moment(now)
    let wasRegistered = isRegistered
    if !wasRegistered, let last = lastFirstUpdate, moment > last {
      return FrameworkAnswer(.tooLate(since: last), of: call)
    }
    var answer = version.hasWindows ? applyInWindow(call, moment, install) : applyByTimer(call, moment, install)
    latestCall = moment
    if isRegistered, !wasRegistered {
      self.version = version
      answer.effects.insert(.registered)
    }
    return answer
  }
}
