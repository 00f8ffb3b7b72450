import SKANBase
import SKANSystem

extension Explanation: CustomStringConvertible {
  /// One sentence for a person.
  package var description: String {
    switch self {
    case .registered(let snippet, let seconds):
      switch snippet.rules.windows {
      case .fromFirstCall:
        "First call to the framework with value 0; the three windows count from \(instant(seconds))."
      case .fromLastCall:
        "First call to the framework; updates stay open for 24 hours after each call, so until "
          + "\(instant(seconds + ConversionWindow.skan3Length))."
      }
    case .alreadyRegistered(let snippet, let seconds):
      "A first call is on record since \(instant(seconds)), so register does nothing"
        + (snippet.rules.windows == .fromFirstCall ? " and the windows go on counting from then." : ".")
    case .registrationNeedsIOS(let needed, let has, let snippet):
      "The \(snippet.rawValue) snippet registers from iOS \(needed.text), this phone has \(has.text); "
        + "nothing is called or kept."
    case .neverRegistered:
      "No first call is on record, which the snippet takes for \"all windows over\": it returns without a request "
        + "and without calling the handler."
    case .cannotRegister(let needed, let has, let snippet):
      "No first call is on record and none can be, as the \(snippet.rawValue) snippet registers from iOS \(needed.text) and "
        + "this phone has \(has.text); it takes that for \"all windows over\" and returns without a request and without "
        + "calling the handler."
    case .windowClosed(let window, let end, let now):
      "\(window) closed at \(instant(end))\(gap(now - end)); the snippet returns without a request and without "
        + "calling the handler."
    case .updateNeedsIOS(let needed, let has):
      "The SKAN 3 snippet updates from iOS \(needed.text), this phone has \(has.text): it silently does nothing."
    case .lockHeld:
      "An earlier answer with illegal values left the snippet's lock held in this app process; this update waits "
        + "for it for ever and no request goes out."
    case .requestCrashed(let entry):
      "Building the request reads \(entry.key.name), which holds the string \(entry.displayText) instead of a number, and "
        + "that crashes the app."
    case .noAnswer(let error): "No answer came (\(error.oneLine)); nothing changes and the handler gets the error."
    case .notJSON(let why):
      "The answer is no JSON object (\(why)); nothing changes and the handler gets \"Failed parsing server response\"."
    case .testEndpointExhausted:
      "The embedded test endpoint gives three values and then, as now, an empty body: nothing changes and the handler "
        + "gets \"Failed parsing server response\"; for other answers use --answer (in a list, \"answer\") or "
        + "--endpoint URL."
    case .answerCrashed(let cause): "\(cause), and the snippet uses it without checking: the app crashes."
    case .nothingToUpdate:
      "The answer is ok and has no conversion value: nothing to update, and the snippet never calls the handler."
    case .refused(let reason): "The endpoint gave no value but an error: \(reason.oneLine.withoutPeriod)."
    case .refusedWithoutCurrentValue(let reason):
      "The endpoint gave no value but an error: \(reason.oneLine.withoutPeriod); this phone, updated from SKAN 3, has "
        + "no \(StoreEntry.fineValue.name) to send."
    case .illegalValue(let value):
      "Conversion value \(value.displayText) is outside 0-63; the snippet refuses it and never releases its lock, so every "
        + "later update in this app process will wait for ever."
    case .illegalCoarse(let value):
      "Coarse value \(value.displayText) is outside 0-2; the snippet refuses it and never releases its lock, so every later "
        + "update in this app process will wait for ever."
    case .answerNeedsIOS(let has):
      "The answer is good, but iOS \(has.text) has no call to update it (15.4 is the first): nothing is kept and the "
        + "handler is never called."
    case .updated(let fine, let coarse, let lock, let window, let previous):
      updateText(fine: fine, coarse: coarse, lock: lock, window: window, previous: previous)
    case .frameworkFailed(let code):
      "Apple's framework refused the update with SKANErrorDomain error \(code); the handler gets that error, yet the "
        + "snippet keeps the values as if they had been taken."
    case .skan3Updated(let value, let previous):
      "Conversion value \(value) is higher than \(previous.map(String.init) ?? "none"): updated, and updates stay "
        + "open for another 24 hours."
    case .notHigher(let value, let current):
      "Conversion value \(value) is not higher than \(current); the SKAN 3 snippet ignores it without calling the "
        + "handler."
    case .revenueAdded(let amount, let currency, let isAd, let window, let snippet):
      revenueText(amount: amount, currency: currency, isAd: isAd, window: window, snippet: snippet)
    case .amountIsZero: "An amount of 0 adds nothing; the snippet returns at once."
    case .currencyIsMissing: "Without a currency nothing is added; the snippet returns at once."
    case .revenueNeedsIOS(let has):
      "The SKAN 3 snippet counts revenue from iOS 14.0, this phone has \(has.text): nothing is added."
    case .detailsRead(let count):
      count == 0 ? "Nothing is kept yet." : "\(count) \(count == 1 ? "entry is" : "entries are") kept."
    case .postbacksRead(let states):
      "Simulated postbacks: \(counted(states))."
    case .noPostbacks(isAttributed: true):
      "This iOS does not know the version of the install's ad: no postback leaves this phone."
    case .noPostbacks(isAttributed: false): "The install is not attributed to an ad: no postback leaves this phone."
    case .detailsCrashed(let entry):
      "\(entry.key.name) holds the string \(entry.displayText) instead of a number: reading the details crashes the app, now "
        + "and after every relaunch."
    case .relaunched(let lockWasHeld):
      lockWasHeld
        ? "A new app process: the leaked lock is gone with the old one, what was kept stays."
        : "A new app process; what was kept stays."
    case .installed(let profile):
      "A fresh install: \(profile.snippet.rawValue) on iOS \(profile.ios.text), \(profile.bundleID) "
        + "\(profile.appVersion)\(profile.ad == nil ? ", organic" : "")"
        + profile.settings.changed.map { ", \($0.name) \($0.value)" }.joined() + "."
    case .appUpdated(let old, let new): changeText(from: old, to: new)
    case .withoutHandler(let explanation):
      explanation.description.withoutPeriod + " (the app passed no handler)."
    case .forwarded(let what): what
    case .alreadyCounted(let key):
      "The idempotency key \(key.oneLine) was seen before: the revenue is not counted again."
    }
  }

  private func updateText(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, window: ConversionWindow?, previous: KeptValue?
  ) -> String {
    let coarseText = coarse.map { ", coarse \($0.displayText)" } ?? ", no coarse value"
    guard let window else {
      return
        "The answer arrived after the last window: Apple's framework was called with \(fine.displayText)\(coarseText), "
        + "but of the values the snippet keeps none."
    }
    let fineText =
      window == .p0
      ? "conversion value \(previous.map { "\($0.displayText) → \(fine.displayText)" } ?? fine.displayText)"
      : "conversion value \(fine.displayText) is not kept after P0"
    return "Updated in P\(window.rawValue): \(fineText)\(coarseText)\(lock ? ", window locked" : "")."
  }

  private func revenueText(
    amount: Double, currency: String, isAd: Bool, window: ConversionWindow?, snippet: SnippetVersion
  ) -> String {
    let added = "\(amount.jsonText) \(currency.isEmpty ? "(no currency)" : currency.oneLine) added to the"
    guard snippet.rules.splitsRevenue else { return "\(added) total, from purchases and ads alike." }
    let kind = isAd ? "ad-monetization" : "in-app purchase"
    let kept = Double(Float(amount))
    let precision = kept == amount ? "" : ", as \(kept.jsonText) in single precision"
    guard let window else { return "\(added) life-long \(kind) total only\(precision): no window is open." }
    return "\(added) \(kind) totals, life-long and of P\(window.rawValue)\(precision)."
  }

  private func changeText(from old: DeviceProfile, to new: DeviceProfile) -> String {
    let changes = [
      old.ios.text == new.ios.text ? nil : "iOS \(old.ios.text) → \(new.ios.text)",
      old.appVersion == new.appVersion ? nil : "app version \(old.appVersion) → \(new.appVersion)",
      old.snippet == new.snippet ? nil : "snippet \(old.snippet.rawValue) → \(new.snippet.rawValue)",
    ].compactMap(\.self)
    return (changes.isEmpty ? "Nothing changed" : changes.joined(separator: ", "))
      + "; the app starts anew and what was kept stays."
  }

  private func counted(_ states: [Postback.State]) -> String {
    Postback.State.allCases.compactMap { state in
      let count = states.count { $0 == state }
      return count == 0 ? nil : "\(count) \(state.displayText)"
    }.joined(separator: ", ")
  }

  private func gap(_ seconds: Int64) -> String {
    seconds == 0 ? ", this very second" : ", \(TimeSpan(seconds: seconds)) before this"
  }

  private func instant(_ seconds: Int64) -> String { Instant(microseconds: seconds * 1_000_000).description }
}

extension KeptValue {
  /// The value as it stood in the answer.
  var displayText: String {
    switch self {
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .double(let number): number.displayText
    case .bool(let flag): flag ? "true" : "false"
    case .string(let text): JSONWriter.quoted(text)
    }
  }
}

extension PoisonedEntry {
  var displayText: String { value.displayText }
}

extension Double {
  var displayText: String { System.text(of: self, digits: 16) }
}

extension String {
  fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
