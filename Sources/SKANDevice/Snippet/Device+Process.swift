extension Device {
  /// `getSkanDetails`, called by the app.
  package mutating func readDetails() -> StepReport {
    do throws(PoisonedEntry) {
      return StepReport(.read, .detailsRead(try details().entries.count))
    } catch {
      var report = crash(.detailsCrashed(error), reason: error.exception, keptBefore: nil)
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
    var warnings: [Warning] = []
    if name.isEmpty { warnings.append(.emptyName) }
    let length = name.unicodeScalars.count
    if length > 32 { warnings.append(.nameTooLong(length)) }
    if !name.utf8.allSatisfy({ $0 < 0x80 }) { warnings.append(.nameNotASCII) }
    if name.utf8.contains(UInt8(ascii: "+")) { warnings.append(.plusInName) }
    return warnings
  }
}
