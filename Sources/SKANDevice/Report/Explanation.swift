import SKANBase
import SKANSystem

/// Why a step ended as it did, with the instant or value that decided it; the description is one sentence.
package enum Explanation: Sendable, Equatable {
  // register
  case registered(SnippetVersion, at: Int64)
  case alreadyRegistered(SnippetVersion, since: Int64)
  case registrationNeedsIOS(IOSVersion, has: IOSVersion, SnippetVersion)
  // Updates that send no request
  case neverRegistered
  /// The phone is not registered and cannot register.
  case cannotRegister(IOSVersion, has: IOSVersion, SnippetVersion)
  case windowClosed(window: String, at: Int64, now: Int64)
  case updateNeedsIOS(IOSVersion, has: IOSVersion)
  case lockHeld
  case requestCrashed(PoisonedEntry)
  // An answer
  case noAnswer(String)
  case notJSON(String)
  /// The test endpoint in this process has returned its three values.
  case testEndpointExhausted
  case answerCrashed(String)
  case nothingToUpdate
  case refused(String)
  /// The endpoint refused a request without a fine value, which the phone never had.
  case refusedWithoutCurrentValue(String)
  case illegalValue(KeptValue)
  case illegalCoarse(KeptValue)
  case answerNeedsIOS(has: IOSVersion)
  case updated(fine: KeptValue, coarse: KeptValue?, lock: Bool, ConversionWindow?, previous: KeptValue?)
  case frameworkFailed(code: Int64)
  case skan3Updated(Int32, previous: Int64?)
  case notHigher(Int32, current: Int64)
  // Other steps
  case revenueAdded(amount: Double, currency: String, isAd: Bool, ConversionWindow?, SnippetVersion)
  case amountIsZero
  case currencyIsMissing
  case revenueNeedsIOS(has: IOSVersion)
  case detailsRead(Int)
  case detailsCrashed(PoisonedEntry)
  case postbacksRead([Postback.State])
  /// The install has no ad, or an ad of a version that this iOS does not support.
  case noPostbacks(isAttributed: Bool)
  case relaunched(lockWasHeld: Bool)
  indirect case installed(DeviceProfile)
  indirect case appUpdated(from: DeviceProfile, to: DeviceProfile)
  case alreadyCounted(key: String)
  /// The process ended during the update.
  case killed(UpdateStage)
  /// Apple's completion handler never came.
  case uncompleted
  /// The outcome of a report of the app's server, in one sentence or more.
  case forwarded(String)
  /// The outcome of a direct call to AdAttributionKit or of a re-engagement, in one sentence or more.
  case adAttributionKit(String)
  /// The outcome of an impression or a download, in one sentence or more.
  case impression(String)
  /// Any other explanation, for a call without a completion handler.
  indirect case withoutHandler(Explanation)
}

/// How far an update had come when its process ended.
package enum UpdateStage: Sendable, Equatable {
  /// It waited for the snippet's lock.
  case waiting
  /// Its request was sent.
  case sent
  /// Apple's framework was called.
  case called
}

extension Explanation: CustomStringConvertible {
  /// One sentence for a person.
  package var description: String { String(writing: { $0.append(self) }) }
}

extension ByteText {
  /// Adds the ``Explanation/description`` of a step's end. It composes no strings, because every result contains one.
  package mutating func append(_ explanation: Explanation) {
    switch explanation {
    case .registered(let snippet, let seconds):
      switch snippet.rules.windows {
      case .fromFirstCall:
        append("First call to the framework with value 0; the three windows count from ")
        append(seconds: seconds)
      case .fromLastCall:
        append("First call to the framework; updates stay open for 24 hours after each call, so until ")
        append(seconds: seconds + ConversionWindow.skan3Length)
      }
      append(".")
    case .alreadyRegistered(let snippet, let seconds):
      append("A first call is on record since ")
      append(seconds: seconds)
      append(", so register does nothing")
      append(snippet.rules.windows == .fromFirstCall ? " and the windows go on counting from then." : ".")
    case .registrationNeedsIOS(let needed, let has, let snippet):
      append(
        "The \(snippet.rawValue) snippet registers from iOS \(needed.text), this phone has \(has.text); "
          + "nothing is called or kept.")
    case .neverRegistered:
      append(
        "No first call is on record, which the snippet treats as \"all windows over\": it returns without a request "
          + "and without calling the handler.")
    case .cannotRegister(let needed, let has, let snippet):
      append(
        "No first call is on record and none can be, as the \(snippet.rawValue) snippet registers from iOS "
          + "\(needed.text) and this phone has \(has.text); it treats that as \"all windows over\" and returns without "
          + "a request and without calling the handler.")
    case .windowClosed(let window, let end, let now):
      append(window)
      append(" closed at ")
      append(seconds: end)
      if now == end {
        append(", this very second")
      } else {
        append(", ")
        append(TimeSpan(seconds: now - end))
        append(" before this")
      }
      append("; the snippet returns without a request and without calling the handler.")
    case .updateNeedsIOS(let needed, let has):
      append(
        "The SKAN 3 snippet updates from iOS \(needed.text), this phone has \(has.text): it silently does nothing.")
    case .lockHeld:
      append(
        "An earlier answer with illegal values left the snippet's lock held in this app process; this update waits "
          + "for it forever and no request is sent.")
    case .requestCrashed(let entry):
      append(
        "Building the request reads \(entry.key.name), which holds the string \(entry.displayText) instead of a number, and "
          + "that crashes the app.")
    case .noAnswer(let error):
      append("No answer came (\(error.oneLine)); nothing changes and the handler gets the error.")
    case .notJSON(let why):
      append(
        "The answer is not a JSON object (\(why)); nothing changes and the handler gets \"Failed parsing server "
          + "response\"."
      )
    case .testEndpointExhausted:
      append(
        "The embedded test endpoint gives three values and then, as now, an empty body (an empty string in the guide, which "
          + "could also be a value: 'skan explain unparsable'): nothing changes and the handler "
          + "gets \"Failed parsing server response\"; for other answers use --answer (in a list, \"answer\") or "
          + "--endpoint URL.")
    case .answerCrashed(let cause): append("\(cause), and the snippet uses it without checking: the app crashes.")
    case .nothingToUpdate:
      append(
        "The answer is ok and has no conversion value: nothing to update, and the snippet never calls the handler.")
    case .refused(let reason):
      append("The endpoint gave an error and no value: ")
      append(withoutPeriod: reason)
      append(".")
    case .refusedWithoutCurrentValue(let reason):
      append("The endpoint gave an error and no value: ")
      append(withoutPeriod: reason)
      append("; this phone, updated from SKAN 3, has no \(StoreEntry.fineValue.name) to send.")
    case .illegalValue(let value):
      append(
        "Conversion value \(value.displayText) is outside 0-63; the snippet refuses it and never releases its lock, so every "
          + "later update in this app process will wait forever.")
    case .illegalCoarse(let value):
      append(
        "Coarse value \(value.displayText) is outside 0-2; the snippet refuses it and never releases its lock, so every later "
          + "update in this app process will wait forever.")
    case .answerNeedsIOS(let has):
      append(
        "The answer is valid, but iOS \(has.text) has no call to update it (15.4 is the first): nothing is kept and "
          + "the handler is never called.")
    case .updated(let fine, let coarse, let lock, let window, let previous):
      appendUpdate(fine: fine, coarse: coarse, lock: lock, window: window, previous: previous)
    case .frameworkFailed(let code):
      append(
        "Apple's framework refused the update with SKANErrorDomain error \(code); the handler gets that error, yet the "
          + "snippet keeps the values as if they had been accepted.")
    case .skan3Updated(let value, let previous):
      append("Conversion value ")
      append(Int64(value))
      append(" is higher than ")
      if let previous { append(previous) } else { append("none") }
      append(": updated, and updates stay open for another 24 hours.")
    case .notHigher(let value, let current):
      append("Conversion value ")
      append(Int64(value))
      append(" is not higher than ")
      append(current)
      append("; the SKAN 3 snippet ignores it without calling the handler.")
    case .revenueAdded(let amount, let currency, let isAd, let window, let snippet):
      appendRevenue(amount: amount, currency: currency, isAd: isAd, window: window, snippet: snippet)
    case .amountIsZero: append("An amount of 0 adds nothing; the snippet returns at once.")
    case .currencyIsMissing: append("Without a currency nothing is added; the snippet returns at once.")
    case .revenueNeedsIOS(let has):
      append("The SKAN 3 snippet counts revenue from iOS 14.0, this phone has \(has.text): nothing is added.")
    case .detailsRead(0): append("Nothing is kept yet.")
    case .detailsRead(let count):
      append(Int64(count))
      append(count == 1 ? " entry is kept." : " entries are kept.")
    case .postbacksRead(let states): append("Simulated postbacks: \(counted(states)).")
    case .noPostbacks(isAttributed: true):
      append("This iOS does not know the version of the install's ad: no postback leaves this phone.")
    case .noPostbacks(isAttributed: false):
      append("The install is not attributed to an ad: no postback leaves this phone.")
    case .detailsCrashed(let entry):
      append(
        "\(entry.key.name) holds the string \(entry.displayText) instead of a number: reading the details crashes the app, now "
          + "and after every relaunch.")
    case .relaunched(let lockWasHeld):
      append(
        lockWasHeld
          ? "A new app process: the leaked lock is gone with the old one, and the kept values stay."
          : "A new app process; the kept values stay.")
    case .installed(let profile):
      append("A fresh install: ")
      append(profile.snippet.rawValue)
      append(" on iOS ")
      append(profile.ios.text)
      append(", ")
      append(profile.bundleID)
      append(" ")
      append(profile.appVersion)
      if profile.ad == nil { append(", organic") }
      for setting in profile.settings.changed { append(", \(setting.name) \(setting.value)") }
      append(".")
    case .appUpdated(let old, let new): append(changeText(from: old, to: new))
    case .withoutHandler(let explanation):
      append(explanation)
      if unsafe bytes[count - 1] == UInt8(ascii: ".") { count -= 1 }
      append(" (the app passed no handler).")
    case .forwarded(let what), .adAttributionKit(let what), .impression(let what): append(what)
    case .alreadyCounted(let key):
      append("The idempotency key \(key.oneLine) was seen before: the revenue is not counted again.")
    case .killed(.waiting): append("The app's process ended while this update waited for the snippet's lock.")
    case .killed(.sent): append("The app's process ended while this update waited for its answer.")
    case .killed(.called): append("The app's process ended before Apple called the completion handler of this update.")
    case .uncompleted:
      append(
        "Apple's framework was called and never calls its completion handler: the snippet stores nothing, and the app's "
          + "handler never runs.")
    }
  }

  private mutating func appendUpdate(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, window: ConversionWindow?, previous: KeptValue?
  ) {
    guard let window else {
      append("The answer arrived after the last window: Apple's framework was called with ")
      append(display: fine)
      append(coarse: coarse)
      append(", but the snippet keeps none of the values.")
      return
    }
    append("Updated in ")
    append(window)
    append(": conversion value ")
    if window != .p0 {
      append(display: fine)
      append(" is not kept after P0")
    } else {
      if let previous {
        append(display: previous)
        append(" → ")
      }
      append(display: fine)
    }
    append(coarse: coarse)
    append(lock ? ", window locked." : ".")
  }

  private mutating func append(coarse: KeptValue?) {
    guard let coarse else { return append(", no coarse value") }
    append(", coarse ")
    append(display: coarse)
  }

  private mutating func appendRevenue(
    amount: Double, currency: String, isAd: Bool, window: ConversionWindow?, snippet: SnippetVersion
  ) {
    append(amount)
    append(" ")
    if currency.isEmpty { append("(no currency)") } else { append(oneLine: currency) }
    append(" added to the ")
    guard snippet.rules.splitsRevenue else { return append("total, from purchases and ads alike.") }
    if window == nil { append("lifetime ") }
    append(isAd ? "ad-monetization" : "in-app purchase")
    if let window {
      append(" totals: lifetime and ")
      append(window)
    } else {
      append(" total only")
    }
    let kept = Double(Float(amount))
    if kept != amount {
      append(", as ")
      append(kept)
      append(" in single precision")
    }
    append(window == nil ? ": no window is open." : ".")
  }

  /// Adds a text on one line, without its period, within a sentence.
  private mutating func append(withoutPeriod text: String) {
    append(oneLine: text.hasSuffix(".") ? String(text.dropLast()) : text)
  }

  /// Adds a moment given in Unix seconds.
  private mutating func append(seconds: Int64) { append(Instant(microseconds: seconds * 1_000_000)) }

  /// Adds a value as written in the answer.
  private mutating func append(display value: KeptValue) {
    if case .integer(let number) = value { append(number) } else { append(value.displayText) }
  }
}

private func changeText(from old: DeviceProfile, to new: DeviceProfile) -> String {
  let changes = [
    old.ios.text == new.ios.text ? nil : "iOS \(old.ios.text) → \(new.ios.text)",
    old.appVersion == new.appVersion ? nil : "app version \(old.appVersion) → \(new.appVersion)",
    old.snippet == new.snippet ? nil : "snippet \(old.snippet.rawValue) → \(new.snippet.rawValue)",
  ].compactMap(\.self)
  return (changes.isEmpty ? "Nothing changed" : changes.joined(separator: ", "))
    + "; the app restarts, and the kept values stay."
}

private func counted(_ states: [Postback.State]) -> String {
  Postback.State.allCases.compactMap { state in
    let count = states.count { $0 == state }
    return count == 0 ? nil : "\(count) \(state.displayText)"
  }.joined(separator: ", ")
}

extension KeptValue {
  /// The value as written in the answer.
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
