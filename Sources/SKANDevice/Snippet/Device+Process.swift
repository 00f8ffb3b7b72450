extension Device {
  /// `getSkanDetails`, called by the app.
  package mutating func readDetails() -> StepReport {
    do throws(PoisonedEntry) {
      return StepReport(.read, .detailsRead(try details().entries.count))
    } catch {
      var report = crash(.detailsCrashed(error), reason: error.exception)
      report.warnings.append(.installPoisoned(error))
      return report
    }
  }

  /// The app is started anew by the user.
  package mutating func relaunchedByUser() -> StepReport {
    let report = StepReport(.relaunched, .relaunched(lockWasHeld: process.isLockHeld))
    relaunch()
    return report
  }

  /// The phone or the app is updated; nil leaves a value as it is. What is kept stays, the process is a new one.
  package mutating func update(
    ios: IOSVersion? = nil, appVersion: String? = nil, snippet: SnippetVersion? = nil
  ) -> StepReport {
    let old = profile
    profile.ios = ios ?? profile.ios
    profile.appVersion = appVersion ?? profile.appVersion
    profile.snippet = snippet ?? profile.snippet
    relaunch()
    var report = StepReport(.set, .appUpdated(from: old, to: profile))
    // Both families keep their timestamps under the same keys: the likeliest surprise of a migration.
    if old.snippet.isSKAN4 != profile.snippet.isSKAN4, isRegistered {
      report.warnings.append(.oldFirstCall(kept.firstCall ?? 0, now: profile.snippet))
    }
    return report
  }
}

extension Warning {
  /// What the API reference asks of an event's name, and the snippet does not keep.
  package static func about(eventName name: String) -> [Warning] {
    var isASCII = true
    var hasPlus = false
    for byte in name.utf8 {
      if byte >= 0x80 { isASCII = false }
      if byte == UInt8(ascii: "+") { hasPlus = true }
    }
    let length = isASCII ? name.utf8.count : name.unicodeScalars.count
    var warnings: [Warning] = []
    if length == 0 { warnings.append(.emptyName) }
    if length > 32 { warnings.append(.nameTooLong(length)) }
    if !isASCII { warnings.append(.nameNotASCII) }
    if hasPlus { warnings.append(.plusInName) }
    return warnings
  }
}
