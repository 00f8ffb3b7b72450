import SKANBase

/// A warning for a tester about a step that is simulated correctly.
package enum Warning: Sendable, Equatable {
  // Findings: a problem in the app or the endpoint
  case handlerNotCalled
  case lockLeaked
  case blocked
  case installPoisoned(PoisonedEntry)
  case appCrashed
  /// With the iOS that register needs, if this phone's is older.
  case droppedUnregistered(needs: IOSVersion?)
  case indexMismatch(index: String, window: ConversionWindow?)
  case oddType(field: String, value: String, expected: String)
  case nameTooLong(Int)
  case nameNotASCII
  case plusInName
  case emptyName
  case emptyCurrency
  case idfvMissing
  case currentValueMissing
  case ignoredAfterLock(ConversionWindow, since: Instant)
  case frameworkErrorKept(Int64)
  /// With the outcome of the report of the app's server, in one sentence or more.
  case notForwarded(String)
  case coarseNotMirrored
  case directCoarseCleared
  /// Revenue that was added before this event, whose update failed.
  case revenueAgain(Double, String, event: String)
  /// Developer Mode does not shorten the windows of this impression.
  case productionImpression(app: Int64, AdAttribution.Framework)
  /// The names of a link's parameters.
  case trackingParameters([String])
  case openParameterGiven
  /// The country of the install, and another one that a re-engagement names.
  case countryOfInstall(String, given: String)
  /// An impression that could not win, as a sentence without a period.
  case impressionUnused(String)
  /// Something in the app's Info.plist that is not as Apple documents it, a sentence.
  case infoPlist(String)
  /// A difference between an answer and the reference, with its level: a note where the list itself gives the answer.
  case contractBroken(ContractBreach, Level)
  /// A problem with a parameter of the request to a server, as a sentence without secrets.
  case requestFlawed(String)
  /// How long before the end of the previous step this one begins.
  case overlaps(TimeSpan)
  /// The updates whose values are not stored when the request leaves, as a message names them.
  case staleRequest(of: [String])
  /// The update whose later call completed earlier, as a message names it.
  case completedOutOfOrder(after: String)
  /// The windows of the call and of the completion; nil after the last one.
  case storedInLaterWindow(ConversionWindow, ConversionWindow?)
  /// How far the update had come, and the values of Apple and of the app.
  case killed(UpdateStage, apple: Int64?, app: Int64?)
  // Notes
  /// An impression that lost to another one, as a sentence without a period.
  case impressionLost(String)
  case droppedWindowOver
  case detailsStale
  case coarseCleared(ConversionWindow?)
  case revenueOutsideWindows
  case clockWentBack(TimeSpan)
  case adRevenueMerged
  case oddCurrency(String)
  /// Who answered the previous steps, who answered this one, and the option that may be missing.
  case answererChanged(from: String, to: String, option: String?)
  /// The model in a file is not the one that answered before.
  case modelChanged(String)
  case oldFirstCall(Int64, now: SnippetVersion)
  /// A value of the phone that no phone of Apple's has.
  case oddProfile(key: String, value: String)
  // Notes about values that Apple holds differently
  case organicInstall
  /// The app's window, or nil if the app considers all windows over.
  case windowsDiffer(ConversionWindow?, apple: ConversionWindow)
  case ignoredByApple(CallFate)
  case fineIgnored
  case coarseIgnored
  case lockIgnored
  /// How long the update waited for the snippet's lock.
  case waits(TimeSpan)

  package enum Level: String, CaseIterable, Sendable { case note, finding }

  /// The code of the warning, without its details.
  package var kind: WarningCode {
    switch self {
    case .handlerNotCalled: .handlerNotCalled
    case .lockLeaked: .lockLeaked
    case .blocked: .blocked
    case .installPoisoned: .installPoisoned
    case .appCrashed: .appCrashed
    case .droppedUnregistered: .droppedUnregistered
    case .indexMismatch: .indexMismatch
    case .oddType: .oddType
    case .nameTooLong: .nameTooLong
    case .nameNotASCII: .nameNotASCII
    case .plusInName: .plusInName
    case .emptyName: .emptyName
    case .emptyCurrency: .emptyCurrency
    case .idfvMissing: .idfvMissing
    case .currentValueMissing: .currentValueMissing
    case .ignoredAfterLock: .ignoredAfterLock
    case .frameworkErrorKept: .frameworkErrorKept
    case .notForwarded: .notForwarded
    case .coarseNotMirrored: .coarseNotMirrored
    case .directCoarseCleared: .directCoarseCleared
    case .revenueAgain: .revenueAgain
    case .productionImpression: .productionImpression
    case .trackingParameters: .trackingParameters
    case .openParameterGiven: .openParameterGiven
    case .countryOfInstall: .countryOfInstall
    case .impressionUnused: .impressionUnused
    case .infoPlist: .infoPlist
    case .impressionLost: .impressionLost
    case .contractBroken(let breach, _): breach.code
    case .requestFlawed: .requestFlawed
    case .overlaps: .overlaps
    case .staleRequest: .staleRequest
    case .completedOutOfOrder: .completedOutOfOrder
    case .storedInLaterWindow: .storedInLaterWindow
    case .killed: .killed
    case .droppedWindowOver: .droppedWindowOver
    case .detailsStale: .detailsStale
    case .coarseCleared: .coarseCleared
    case .revenueOutsideWindows: .revenueOutsideWindows
    case .clockWentBack: .clockWentBack
    case .adRevenueMerged: .adRevenueMerged
    case .oddCurrency: .oddCurrency
    case .answererChanged: .answererChanged
    case .modelChanged: .modelChanged
    case .oldFirstCall: .oldFirstCall
    case .organicInstall: .organicInstall
    case .windowsDiffer: .windowsDiffer
    case .ignoredByApple: .ignoredByApple
    case .fineIgnored: .fineIgnored
    case .coarseIgnored: .coarseIgnored
    case .lockIgnored: .lockIgnored
    case .waits: .waits
    case .oddProfile: .oddProfile
    }
  }

  package var level: Level { if case .contractBroken(_, let level) = self { level } else { kind.level } }

  /// Whether the warning compares a request, or the answer of a list, with the reference.
  var isAboutExchange: Bool {
    switch self {
    case .contractBroken(_, .note), .requestFlawed: true
    default: false
    }
  }

  package var code: String { kind.name }

  package var message: String {
    switch self {
    case .handlerNotCalled: "A request was sent, and the completion handler was never called: code in it never runs."
    case .lockLeaked: "The snippet left its lock held: no update gets through until the app is started anew."
    case .blocked: "This update waits forever for the lock that an earlier answer leaked."
    case .installPoisoned(let entry):
      "\(entry.key.name) now holds a string (\(entry.displayText)): getSkanDetails and every later request crash the app, "
        + "also after a relaunch, until the app is reinstalled."
    case .appCrashed: "The app crashed in this step; it goes on as after a relaunch."
    case .droppedUnregistered(nil): "Dropped silently: call register before the first session or event."
    case .droppedUnregistered(let needed?):
      "Dropped silently: before iOS \(needed.text) register does nothing, so the app never gets past it."
    case .indexMismatch(let index, let window):
      "The answer is for postback \(index), but the phone is \(window.map { "in P\($0.rawValue)" } ?? "past P2"): the "
        + "snippet ignores the index and keeps the values in its own window."
    case .oddType(let field, let value, let expected): "\(field) is \(value); the documentation says \(expected)."
    case .nameTooLong(let count): "The event name has \(count) characters, the API reference allows 32."
    case .nameNotASCII: "The event name is not ASCII, which the API reference asks for."
    case .plusInName: "The + in the event name is sent unescaped, and a server reads a space."
    case .emptyName: "The event name is empty."
    case .emptyCurrency: "The currency is empty, and is kept as a separate currency."
    case .idfvMissing: "The request has no idfv, which the API reference always requires."
    case .currentValueMissing:
      "The phone was updated from SKAN 3 and has no \(StoreEntry.fineValue.name), which the API reference requires: an "
        + "endpoint that insists on it refuses every request, so the phone never gets a value."
    case .ignoredAfterLock(let window, let since):
      "P\(window.rawValue) was locked at \(since): Apple keeps the earlier values, and the app keeps this one."
    case .frameworkErrorKept(let code):
      "The app keeps values that Apple refused with error \(code): the two differ from here on."
    case .notForwarded(let what): what
    case .coarseNotMirrored:
      "Apple's page names no coarse value in the call of AdAttributionKit that this one becomes, so AdAttributionKit holds "
        + "none and no postback shows one (setting aak-mirror-coarse)."
    case .directCoarseCleared:
      "The app gave AdAttributionKit a coarse value itself, and this call of SKAdNetwork, mirrored without one, cleared it: "
        + "call SKAdNetwork first and AdAttributionKit after it (setting aak-fine-only)."
    case .revenueAgain(let amount, let currency, let event):
      "\(amount.jsonText)\(currency.isEmpty ? "" : " \(currency)") was already added before the event "
        + "\(JSONWriter.quoted(event)), whose update failed and has not succeeded since: if the event is retried, the "
        + "amount counts twice. The guide: \"In case of retrying an event, avoid calling this method so the same "
        + "revenue will not be counted twice.\""
    case .productionImpression(let app, let framework):
      "Developer Mode does not change production impressions: this one has the "
        + "\(framework == .skadnetwork ? "source app" : "publisher") \(app), and one for development has 0. Its "
        + "windows and delays have their full length."
    case .trackingParameters(let names):
      "The link has \(names.count == 1 ? "the parameter" : "the parameters") \(names.map(\.oneLine).listed("and")): "
        + "Apple removes known tracking parameters and publishes no list of them, so the app may get the link without "
        + "them (setting aak-tracking-parameters)."
    case .openParameterGiven:
      "The link already has \(OpenedAd.parameter), which the system appends: an app that looks for it treats every "
        + "opening with this link as a re-engagement."
    case .countryOfInstall(let country, let given):
      "A re-engagement uses the country of its install, \(country); \(given) is ignored."
    case .infoPlist(let sentence): "Info.plist: \(sentence)"
    case .impressionUnused(let sentence), .impressionLost(let sentence): "\(sentence.capitalizedFirst)."
    case .contractBroken(let breach, _): breach.message
    case .requestFlawed(let message): message
    case .overlaps(let span):
      "This step begins \(span) before the previous step has ended, and a phone without the setting completion runs "
        + "one step after the other: give the phone \"settings\":{\"completion\":\"deferred\"} to let its calls "
        + "overlap, as in a real app."
    case .staleRequest(let names):
      "The request left before the values of \(names.listed("and")) were stored: the server computes from old values."
    case .completedOutOfOrder(let name):
      "Apple completed this call after the later one of \(name): the app keeps the older values, and Apple holds the "
        + "newer ones."
    case .storedInLaterWindow(let called, let stored?):
      "The update was called in P\(called.rawValue), and its values are stored in P\(stored.rawValue), whose window was open when "
        + "Apple completed the call."
    case .storedInLaterWindow(let called, nil):
      "The update was called in P\(called.rawValue), and the last window was over when Apple completed the call: the values are "
        + "not stored."
    case .killed(.waiting, _, _):
      "The app's process ended before the request was sent: no server ever hears about this update."
    case .killed(.sent, _, _):
      "The app's process ended before the answer came: the server has counted the request, and neither Apple nor the app has "
        + "its value."
    case .killed(.called, let apple, let app):
      "The app's process ended before Apple's completion: the server has counted the request, Apple has "
        + "\(apple.map(String.init) ?? "no fine value"), the app has \(app.map(String.init) ?? "none")."
    case .droppedWindowOver: "Dropped because no window is open any more, without an error."
    case .detailsStale:
      "Reading getSkanDetails right after the call, as the guide's sample does, returns the values from before this "
        + "update."
    case .coarseCleared(let window):
      "The answer has no coarse value: the one kept for \(window.map { "P\($0.rawValue)" } ?? "the window") is cleared."
    case .revenueOutsideWindows: "No window is open, so only the lifetime total counts this revenue."
    case .clockWentBack(let span): "The phone's clock went back by \(span)."
    case .adRevenueMerged: "The SKAN 3 snippet does not distinguish ad revenue: it is added to the single total."
    case .oddCurrency(let currency):
      "\(JSONWriter.quoted(currency)) is not a currency code of ISO 4217, which has three capital letters; the phone keeps it as "
        + "a separate currency."
    case .answererChanged(let old, let new, let option):
      "This step was answered by \(new), earlier ones by \(old)\(option.map { ": is \($0) forgotten?" } ?? ".")"
    case .modelChanged(let file): "\(file) has changed since it last answered."
    case .oldFirstCall(let seconds, let snippet):
      "Both snippets keep first call, last call and purchase revenue under the same keys: the first call stays "
        + "\(Instant(microseconds: seconds * 1_000_000)), register will do nothing, and "
        + (snippet.rules.windows == .fromFirstCall
          ? "the windows count from then." : "updates are open for 24 hours after the last call.")
    case .organicInstall: "No ad brought this install: Apple accepts the call, holds nothing and sends no postback."
    case .windowsDiffer(let window, let held):
      "The app counts this in \(window.map { "P\($0.rawValue)" } ?? "the time after P2"), Apple in P\(held.rawValue): "
        + "their windows began at different moments."
    case .ignoredByApple(let fate): "The app keeps what it received, but \(fate)."
    case .fineIgnored: "Apple accepts a fine value only in its first window; this one does not count."
    case .coarseIgnored: "The ad's version has no coarse value; Apple ignores it."
    case .lockIgnored: "The ad's version has no lock; Apple ignores it."
    case .waits(let span): "The update waited \(span) for the snippet's lock, which an earlier update held."
    case .oddProfile("idfv", let value):
      "\(JSONWriter.quoted(value)) is not an identifier for vendors: iOS gives a UUID that is not all zeros."
    case .oddProfile("idfa", let value):
      "\(JSONWriter.quoted(value)) is not an identifier for advertisers: iOS gives a UUID, or all zeros without "
        + "consent, and the guides then leave it out."
    case .oddProfile(let key, _):
      "The phone's \(key) is empty, and the API reference requires it in every request."
    }
  }
}

extension Warning: JSONObjectWritable {
  package static let fields = JSONFields<Warning> {
    JSONField("code", "its name", of: WarningCode.self) { $1.append($0.kind.name) }
    JSONField("level", "note or finding", of: Level.self) { $1.append($0.level.rawValue) }
    JSONField("message", "a sentence", of: String.self) { $1.append($0.message) }
  }
}

extension Warning.Level: JSONWritable {}

extension WarningCode: JSONWritable {
  package static var jsonForm: JSONForm { .names(allCases.map(\.name)) }

  package func write(to writer: inout JSONWriter) { writer.append(name) }
}

extension CallEffects {
  /// The effects that are findings.
  static let findings: CallEffects = [.coarseNotMirrored, .directCoarseCleared]

  /// Passes on the findings about the effects.
  func forEachFinding(_ body: (Warning) -> Void) {
    if contains(.coarseNotMirrored) { body(.coarseNotMirrored) }
    if contains(.directCoarseCleared) { body(.directCoarseCleared) }
  }

  /// Passes on the warnings about the parts of a call that Apple ignores.
  func forEachIgnored(_ body: (Warning) -> Void) {
    if contains(.fineIgnored) { body(.fineIgnored) }
    if contains(.coarseIgnored) { body(.coarseIgnored) }
    if contains(.lockIgnored) { body(.lockIgnored) }
  }
}

extension CallFate {
  /// The warning about the fate of a call; nil if Apple and the app have the same values.
  var warning: Warning? {
    switch self {
    case .taken, .registered, .alreadyRegistered: nil
    case .organic: .organicInstall
    case .refused(let code): .frameworkErrorKept(code)
    case .locked(let window, let since): .ignoredAfterLock(window, since: since)
    case .unknownVersion, .tooLate, .reEngagementOver, .windowsOver, .final, .notHigher, .fineOnly, .notMirrored:
      .ignoredByApple(self)
    }
  }

  /// Whether the fate is a finding.
  var isFinding: Bool { warning?.level == .finding }
}

extension FrameworkAnswer {
  /// Whether the fate or an effect of the call is a finding.
  var isFinding: Bool { fate.isFinding || !effects.isDisjoint(with: .findings) }
}
