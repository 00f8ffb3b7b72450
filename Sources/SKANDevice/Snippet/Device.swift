import SKANBase

/// The phone: its profile, what the app keeps, the app's process, and what Apple's framework holds.
///
/// Pure rules. Nothing here reads a clock, does input or output or draws a random number: moments and answers come in
/// as values. An update is two steps because on the phone it is two: ``beginUpdate(at:)`` says whether a request goes out,
/// with the state before the answer (``request(event:)``), ``finishUpdate(_:at:options:)`` makes the state after it.
package struct Device: Sendable, Equatable {
  // In the order of their alignment, so that a phone has no gaps.
  package var kept = KeptState()
  /// Counts the changes after which a request may carry something that it had not before the change: of the profile, by an
  /// answer that came as text, by revenue in odd currencies. An endpoint that has checked a request of one revision need
  /// not check all of the next one again.
  package internal(set) var revision: UInt32 = 0
  /// Apple's state for the install, which the app cannot see.
  package var framework = AppleFramework()
  /// The odd values beside ``overwritten``.
  var overwrittenOdd: OddValues?
  private var sharedProfile: SharedValue<DeviceProfile>
  package var process = AppProcess()
  /// The app's values before the last answer, except revenue.
  var overwritten = StoredValues()
  /// The facts of the profile that every step needs.
  package private(set) var traits: Traits
  /// Whether an answer overwrote anything.
  var hasOverwritten = false

  package init(_ profile: DeviceProfile) {
    sharedProfile = SharedValue(profile)
    traits = Traits(profile)
  }

  /// Goes on from what another phone's app keeps; what Apple holds of that one is assumed.
  package mutating func start(from kept: KeptState) {
    self.kept = kept
    hasOverwritten = false
    framework = .assumed(from: kept, of: snippet, on: traits.install)
  }

  package var profile: DeviceProfile {
    _read { yield sharedProfile.value }
    set {
      sharedProfile.value = newValue
      traits = Traits(newValue)
      revision &+= 1
    }
  }

  /// The part of a profile that decides what an update does.
  package struct Traits: Sendable, Equatable {
    package let snippet: SnippetVersion
    /// Which version of the endpoint an update asks.
    package let api: EndpointAPI
    /// Whether this iOS is new enough for the snippet to update and to count revenue, and for it to take an answer.
    let canUpdate, canTakeAnswer: Bool
    /// Whether this iOS has coarse values and locks.
    let hasCoarseValueUpdate: Bool
    package let install: InstallTraits
    let hasIDFV: Bool

    init(_ profile: DeviceProfile) {
      snippet = profile.snippet
      api = snippet.rules.api
      canUpdate = snippet.rules.updateMinimum.map { profile.ios >= $0 } ?? true
      canTakeAnswer = snippet.rules.answerMinimum.map { profile.ios >= $0 } ?? true
      hasCoarseValueUpdate = profile.ios >= .coarseValueUpdate
      install = InstallTraits(profile)
      hasIDFV = !(profile.idfv?.isEmpty ?? true)
    }
  }

  // Inlined, as a call would be given a copy of the whole device.
  @inline(__always)
  package var snippet: SnippetVersion { traits.snippet }

  /// Whether a first call to the framework is on record; the snippet takes a first call at 0 for none.
  @inline(__always)
  package var isRegistered: Bool { (kept.firstCall ?? 0) != 0 }

  /// The snippet's window at a moment, nil when there is none open. SKAN 3: P0 while updates are open.
  @inline(__always)
  package func window(at now: Instant) -> ConversionWindow? {
    switch snippet.rules.windows {
    case .fromFirstCall: .at(secondsSinceFirstCall: now.wholeSeconds - (kept.firstCall ?? 0))
    case .fromLastCall: now.wholeSeconds - (kept.lastCall ?? 0) < ConversionWindow.skan3Length ? .p0 : nil
    }
  }

  /// The fine value that the app keeps; nil where it keeps none.
  package var keptValue: Int64? { kept.value(snippet.rules.valueEntry)?.int64 }

  /// The request of an update that begins now.
  package func request(event name: String) -> ConversionRequest { ConversionRequest(self, eventName: name) }

  /// `getSkanDetails`, or why reading it crashes the app.
  package func details() throws(PoisonedEntry) -> SkanDetails { try SkanDetails(of: kept, snippet: snippet) }

  /// A new process of the app: the lock is free again, what is kept stays.
  package mutating func relaunch() {
    process.isLockHeld = false
    process.launches += 1
  }
}

extension Device {
  /// Whether the phones are the same, whatever changes led to them.
  package static func == (left: Device, right: Device) -> Bool {
    left.sharedProfile == right.sharedProfile && left.kept == right.kept && left.process == right.process
      && left.framework == right.framework
  }
}

// MARK: Before the last answer

extension Device {
  /// The app's state before the last answer, with the revenue of now; nil when that answer changed nothing.
  ///
  /// Set when a device file is read, after ``kept``.
  package var keptBeforeAnswer: KeptState? {
    get {
      guard hasOverwritten else { return nil }
      var before = kept
      before.values = overwritten
      before.odd = overwrittenOdd
      return before == kept ? nil : before
    }
    set {
      hasOverwritten = newValue != nil
      overwritten = newValue?.values ?? StoredValues()
      overwrittenOdd = newValue?.odd
    }
  }

  /// Remembers what the app keeps, as an answer comes.
  @inline(__always)
  mutating func rememberKept() {
    hasOverwritten = true
    overwritten = kept.values
    // Nearly always there are none, and then nothing is counted.
    if overwrittenOdd !== kept.odd { overwrittenOdd = kept.odd }
  }

  /// Whether the app keeps something else than when the answer came, revenue apart.
  @inline(__always)
  var hasChangedKept: Bool {
    kept.values != overwritten || kept.odd !== overwrittenOdd && kept.odd != overwrittenOdd
  }
}

/// The state of one process of the app.
package struct AppProcess: Sendable, Equatable {
  /// How often the app was started, this time included.
  package var launches: Int64 = 1
  /// The snippet's `NSLock` was leaked: every later update in this process waits for ever.
  package var isLockHeld = false

  package init() {}
}

extension Device {
  /// `registerAppForAdNetworkAttribution`: once in an install's life, and only on a new enough iOS.
  ///
  /// An error of the framework (`frameworkError`, a `SKANErrorDomain` code) is not seen by the snippet.
  package mutating func register(at now: Instant, frameworkError: Int64? = nil) -> StepReport {
    guard !isRegistered else {
      return StepReport(.alreadyRegistered, .alreadyRegistered(snippet, since: kept.firstCall ?? 0))
    }
    let rules = snippet.rules
    guard profile.ios >= rules.registrationMinimum else {
      return StepReport(
        .iosTooOld, .registrationNeedsIOS(rules.registrationMinimum, has: profile.ios, snippet))
    }
    hasOverwritten = false
    kept.firstCall = now.wholeSeconds
    kept.lastCall = now.wholeSeconds
    var report = StepReport(.registered, .registered(snippet, at: now.wholeSeconds))
    // The one-value form on every iOS. Neither family looks at what comes of it.
    _ = call(rules.registrationCall, at: now, failingWith: frameworkError, &report)
    if let fine = rules.registrationCall.fineValue {
      kept.persist(fine: .integer(fine), coarse: nil, lock: false, in: .p0, at: now)
    }
    return report
  }
}

/// Revenue that must not be added: on the phone it would make every later request crash.
package enum RevenueError: Error, Sendable, Equatable {
  /// The amount is not a finite number.
  case amountNotFinite
  /// The sum of that entry of the store would be beyond a single-precision number.
  case sumTooLarge(entry: String)
}

extension Device {
  /// `updateRevenue`: adds to the sums of a currency; see the article "Operations".
  ///
  /// - Throws: ``RevenueError``; nothing is changed then.
  package mutating func addRevenue(
    _ amount: Double, currency: String?, isAdMonetization: Bool, at now: Instant
  ) throws(RevenueError) -> StepReport {
    guard amount.isFinite else { throw .amountNotFinite }
    let splits = snippet.rules.splitsRevenue
    if !traits.canUpdate {
      return StepReport(.ignored, .revenueNeedsIOS(has: profile.ios))
    }
    guard amount != 0 else { return StepReport(.ignored, .amountIsZero) }
    guard let currency else { return StepReport(.ignored, .currencyIsMissing) }
    let window = splits ? window(at: now) : nil
    let isAd = splits && isAdMonetization
    let code = CurrencyCode(currency)
    // Both sums before the first change.
    let total = StoreEntry.revenue(fromAds: isAd, in: nil)
    let newTotal = try sum(amount, currency, code, in: total)
    if let window {
      let entry = StoreEntry.revenue(fromAds: isAd, in: window)
      kept.setSum(entry, currency, code, to: try sum(amount, currency, code, in: entry))
    }
    kept.setSum(total, currency, code, to: newTotal)
    if kept.hasPlusInRevenue(of: window) { revision &+= 1 }
    var report = StepReport.revenueAdded(amount, currency, code, isAd: isAdMonetization, window, snippet)
    if currency.isEmpty { report.found.append(.emptyCurrency) }
    if splits, window == nil { report.notice(.revenueOutsideWindows) }
    if !splits, isAdMonetization { report.found.append(.adRevenueMerged) }
    if code == nil, !currency.isEmpty { report.found.append(.oddCurrency(currency)) }
    return report
  }

  // Inlined, as a call would be given a copy of the whole device.
  @inline(__always)
  private func sum(
    _ amount: Double, _ currency: String, _ code: CurrencyCode?, in entry: StoreEntry
  ) throws(RevenueError) -> Double {
    let sum = snippet.rules.sums.adding(amount, to: kept.sum(entry, currency, code) ?? 0)
    guard Float(sum).isFinite else { throw .sumTooLarge(entry: entry.name) }
    return sum
  }

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
