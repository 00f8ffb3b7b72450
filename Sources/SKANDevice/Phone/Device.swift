import SKANBase

/// The phone: its profile, the app's store and process, and the state of Apple's framework.
///
/// It contains only rules: it reads no clock, performs no input or output and draws no random numbers; moments and
/// answers are arguments. An update has two steps, as on the phone: ``beginUpdate(at:)`` decides whether a request is
/// sent, with the state before the answer (``request(event:)``), and ``finishUpdate(_:at:options:)`` changes the state
/// after it.
package struct Device: Sendable, Equatable {
  // Ordered by alignment, so that a phone has no padding.
  package var kept = KeptState()
  /// Counts changes that can add something unusual to a request: to the profile, by an answer in text form, by revenue
  /// in unusual currencies. An endpoint that has checked a request of one revision need not repeat all checks for the
  /// next.
  package internal(set) var revision: UInt32 = 0
  /// Apple's state for the install, which the app cannot read.
  package var framework = AppleFramework()
  /// The odd values that belong to ``overwritten``.
  var overwrittenOdd: OddValues?
  private(set) var sharedProfile: SharedValue<DeviceProfile>
  /// Nil for a phone that has none of these parts, as nearly all.
  private var sharedRare: SharedValue<Rare>?
  package var process = AppProcess()
  // The revenue since the last event, ``added``: seven bytes that fill the space behind `process`.
  private var addedHigh: UInt8 = 0
  private var addedLow: UInt16 = 0
  private var addedAmount: Float = 0
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

  /// Continues from the store of another phone's app; the corresponding state of Apple is assumed.
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

  // Field by field, because a read of the profile copies all of it.

  /// The app's bundle identifier.
  package var bundleID: String { sharedProfile.value.bundleID }

  /// The conversions of AdAttributionKit after the install; nil if there are none.
  package var engagements: ReEngagements? {
    get { sharedRare?.value.engagements }
    set { changeRare { $0.engagements = newValue } }
  }

  /// The ads for the app that were shown on the phone; nil if there were none.
  package var impressions: Impressions? {
    get { sharedRare?.value.impressions }
    set { changeRare { $0.impressions = newValue } }
  }

  /// The revenue since the last event.
  @inline(__always)
  var added: AddedRevenue {
    get { AddedRevenue(amount: addedAmount, code: UInt32(addedHigh) << 16 | UInt32(addedLow)) }
    set {
      addedAmount = newValue.amount
      addedHigh = UInt8(truncatingIfNeeded: newValue.code >> 16)
      addedLow = UInt16(truncatingIfNeeded: newValue.code)
    }
  }

  /// The parts that few phones have.
  struct Rare: Sendable, Equatable {
    var engagements: ReEngagements?
    var impressions: Impressions?
    var revenue = RevenueMemory()
  }

  @inline(__always)
  var hasRare: Bool { sharedRare != nil }

  // Not inlined, so that the steps of a long list need no stack space for it.
  @inline(never) @discardableResult
  mutating func changeRare<Result>(_ change: (inout Rare) -> Result) -> Result {
    var all = sharedRare?.value ?? Rare()
    let result = change(&all)
    sharedRare = all == Rare() ? nil : SharedValue(all)
    return result
  }

  /// The part of a profile that decides what an update does.
  package struct Traits: Sendable, Equatable {
    package let snippet: SnippetVersion
    /// The version of the endpoint that an update requests.
    package let api: EndpointAPI
    /// Whether this iOS is new enough for updates and revenue, and for accepting an answer.
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

  // Inlined, because a call would copy the whole device.
  @inline(__always)
  package var snippet: SnippetVersion { traits.snippet }

  /// Whether the store has the time of a first call to the framework; the snippet treats 0 as none.
  @inline(__always)
  package var isRegistered: Bool { (kept.firstCall ?? 0) != 0 }

  /// The snippet's window at a moment; nil if none is open. SKAN 3: P0 while updates are open.
  @inline(__always)
  package func window(at now: Instant) -> ConversionWindow? {
    switch snippet.rules.windows {
    case .fromFirstCall: .at(secondsSinceFirstCall: now.wholeSeconds - (kept.firstCall ?? 0))
    case .fromLastCall: now.wholeSeconds - (kept.lastCall ?? 0) < ConversionWindow.skan3Length ? .p0 : nil
    }
  }

  /// The fine value in the store; nil if there is none.
  package var keptValue: Int64? { kept.value(snippet.rules.valueEntry)?.int64 }

  /// The result of `getSkanDetails`; throws the entry whose reading crashes the app.
  package func details() throws(PoisonedEntry) -> SkanDetails { try SkanDetails(of: kept, in: traits.api) }

  /// Starts a new process of the app: the lock is free, the store unchanged.
  package mutating func relaunch() {
    process.isLockHeld = false
    process.launches += 1
  }
}

extension Device {
  /// Whether the phones are equal, regardless of ``revision``, of revenue that may be added again and of the
  /// state before the last answer.
  package static func == (left: Device, right: Device) -> Bool {
    left.sharedProfile == right.sharedProfile && left.kept == right.kept && left.process == right.process
      && left.framework == right.framework && left.engagements == right.engagements
      && left.impressions == right.impressions
  }
}

// MARK: Before the last answer

extension Device {
  /// The app's state before the last answer, with the current revenue; nil if that answer changed nothing.
  ///
  /// When a device file is read, it is set after ``kept``.
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

  /// Remembers the store when an answer arrives.
  @inline(__always)
  mutating func rememberKept() {
    hasOverwritten = true
    overwritten = kept.values
    // Nearly always both are nil, and no reference is counted.
    if overwrittenOdd !== kept.odd { overwrittenOdd = kept.odd }
  }

  /// Whether the store has changed since the answer arrived, revenue apart.
  @inline(__always)
  var hasChangedKept: Bool {
    kept.values != overwritten || kept.odd !== overwrittenOdd && kept.odd != overwrittenOdd
  }
}

/// The state of one process of the app.
package struct AppProcess: Sendable, Equatable {
  /// The number of launches of the app, including this one.
  package var launches: Int64 = 1
  /// Whether the snippet's `NSLock` was leaked: every later update in this process waits forever.
  package var isLockHeld = false

  package init() {}
}

extension Device {
  /// `registerAppForAdNetworkAttribution`: once per install, and only if the iOS is new enough.
  ///
  /// - Parameter frameworkError: a `SKANErrorDomain` code with which the call fails. The snippet does not see it.
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
    // The call with one value on every iOS. Neither family of the snippet checks its result.
    _ = call(snippet.registrationCall, at: now, failingWith: frameworkError, &report)
    if let fine = snippet.registrationCall.fineValue {
      kept.persist(fine: .integer(fine), coarse: nil, lock: false, in: .p0, at: now)
    }
    return report
  }
}

/// Revenue that cannot be added, because on the phone it would make every later request crash.
package enum RevenueError: Error, Sendable, Equatable {
  /// The amount is not a finite number.
  case amountNotFinite
  /// The sum in this entry would exceed single precision.
  case sumTooLarge(entry: String)
}

extension Device {
  /// `updateRevenue`: adds to the sums of a currency; see the article "Operations".
  ///
  /// - Throws: ``RevenueError``, without a change.
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
    // Computes both sums before the first change.
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
    if let event = noteRevenue(amount, currency, code, isAd: isAdMonetization) {
      report.found.append(.revenueAgain(amount, currency, event: event))
    }
    return report
  }

  // Inlined, because a call would copy the whole device.
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

  /// Reports the postbacks of the install; nothing changes.
  ///
  /// - Parameters:
  ///   - name: the phone's name in a list.
  ///   - tier: replaces the postback data tier of the ad.
  package func readPostbacks(phone name: String, at now: Instant, tier: Int64? = nil) -> StepReport {
    let postbacks = postbacks(phone: name, at: now, tier: tier)
    let isAttributed = profile.ad != nil || engagements != nil
    return StepReport(
      .read,
      postbacks.isEmpty ? .noPostbacks(isAttributed: isAttributed) : .postbacksRead(postbacks.map(\.state)))
  }

  /// The postbacks of the install as of a moment.
  ///
  /// - Parameters:
  ///   - name: the phone's name in a list.
  ///   - tier: replaces the postback data tier of the ad.
  package func postbacks(phone name: String, at now: Instant, tier: Int64? = nil) -> [Postback] {
    framework.postbacks(on: profile, engagements, phone: name, at: now, tier: tier)
  }

  /// The user restarts the app.
  package mutating func relaunchedByUser() -> StepReport {
    let report = StepReport(.relaunched, .relaunched(lockWasHeld: process.isLockHeld))
    relaunch()
    return report
  }

  /// Updates the phone or the app; nil keeps a value. The store is kept, and the app gets a new process.
  package mutating func update(
    ios: IOSVersion? = nil, appVersion: String? = nil, snippet: SnippetVersion? = nil
  ) -> StepReport {
    let old = profile
    profile.ios = ios ?? profile.ios
    profile.appVersion = appVersion ?? profile.appVersion
    profile.snippet = snippet ?? profile.snippet
    relaunch()
    var report = StepReport(.set, .appUpdated(from: old, to: profile))
    // Both families keep their timestamps under the same keys, the most likely surprise of a migration.
    if old.snippet.rules.api != profile.snippet.rules.api, isRegistered {
      report.found.append(.oldFirstCall(kept.firstCall ?? 0, now: profile.snippet))
    }
    if let appVersion, appVersion.isBlank { report.found.append(.oddProfile(key: "app_version", value: appVersion)) }
    return report
  }
}

extension Warning {
  /// The warnings about an event's name that breaks the rules of the API reference, which the snippet does not enforce.
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
  /// Whether an event's name needs no warning: 1 to 32 ASCII characters without a `+`.
  package var isUsualEventName: Bool {
    isShortASCII(without: UInt8(ascii: "+")) || (1...32).contains(utf8.count) && isASCII && !hasPlus
  }
}

/// The only access to Apple's framework.
extension Device {
  /// Apple's window at a moment; nil before the first call and after the last window. Ads of versions up to 3 have
  /// none.
  package func appleWindow(at now: Instant) -> ConversionWindow? {
    framework.version?.hasWindows ?? false ? framework.window(at: now, on: traits.install) : nil
  }

  /// Calls Apple's framework. From the call and the answer the report derives where Apple and the app differ; see the
  /// article "Apple's framework".
  ///
  /// - Parameter error: a `SKANErrorDomain` code with which the call fails at a tester's request.
  mutating func call(
    _ call: FrameworkCall, at now: Instant, failingWith error: Int64?, _ report: inout StepReport
  ) -> FrameworkAnswer {
    let answer =
      if let engagements = sharedRare?.value.engagements {
        applyToAll(call, engagements, at: now, failingWith: error)
      } else {
        framework.apply(call, at: now, on: traits.install, failingWith: error)
      }
    report.note(call, answer)
    return answer
  }
}
