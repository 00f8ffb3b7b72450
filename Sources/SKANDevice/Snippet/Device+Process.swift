import SKANBase

extension Device {
  /// `getSkanDetails`, called by the app.
  package mutating func readDetails() -> StepReport {
    do throws(PoisonedEntry) {
      return StepReport(.read, .detailsRead(try details().entries.count))
    } catch {
      var report = crash(.detailsCrashed(error), reason: error.exception)
      report.found.append(.installPoisoned(error))
      return report
    }
  }

  /// A look at what leaves the phone; nothing on it changes.
  ///
  /// - Parameters:
  ///   - name: the phone's name in a list.
  ///   - tier: the postback data tier instead of the ad's own.
  package func readPostbacks(phone name: String, at now: Instant, tier: Int64? = nil) -> StepReport {
    let postbacks = postbacks(phone: name, at: now, tier: tier)
    let isAttributed = profile.ad != nil
    return StepReport(
      .read,
      postbacks.isEmpty ? .noPostbacks(isAttributed: isAttributed) : .postbacksRead(postbacks.map(\.state)))
  }

  /// The postbacks of the install as of a moment.
  ///
  /// - Parameters:
  ///   - name: the phone's name in a list.
  ///   - tier: the postback data tier instead of the ad's own.
  package func postbacks(phone name: String, at now: Instant, tier: Int64? = nil) -> [Postback] {
    framework.postbacks(on: profile, phone: name, at: now, tier: tier)
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
    if old.snippet.rules.api != profile.snippet.rules.api, isRegistered {
      report.found.append(.oldFirstCall(kept.firstCall ?? 0, now: profile.snippet))
    }
    return report
  }
}

extension Warning {
  /// What the API reference asks of an event's name, and the snippet does not keep.
  package static func about(eventName name: String) -> [Warning] {
    if name.isUsualEventName { return [] }
    let isASCII = name.isASCII
    let length = isASCII ? name.utf8.count : name.unicodeScalars.count
    var warnings: [Warning] = []
    if length == 0 { warnings.append(.emptyName) }
    if length > 32 { warnings.append(.nameTooLong(length)) }
    if !isASCII { warnings.append(.nameNotASCII) }
    if name.hasPlus { warnings.append(.plusInName) }
    return warnings
  }
}

extension String {
  /// Whether there is nothing to say of an event's name: 1 to 32 ASCII characters without a `+`.
  package var isUsualEventName: Bool {
    isShortASCII(without: UInt8(ascii: "+")) || (1...32).contains(utf8.count) && isASCII && !hasPlus
  }
}
