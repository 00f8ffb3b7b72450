import SKANDevice

extension LifeEvent {
  /// What it was.
  package var displayText: String {
    switch kind {
    case .register: "register"
    case .session: "session"
    case .event(let name): name.isEmpty ? "event without a name" : "event \(name.visible)"
    case .revenue(let amount, let currency, let isAd):
      "\(amount < 0 ? "refund" : "revenue") \(amount.magnitude.money(currency))\(isAd ? " from ads" : "")"
    case .update: "the phone or the app is updated"
    case .relaunch: "the app is started anew"
    case .forward: "a value for the app's server"
    }
  }
}

extension Double {
  /// An amount of money without the noise of single precision: in hundredths, but small and huge ones as they are.
  func money(_ currency: String) -> String {
    let isPlain = magnitude >= 1 && magnitude < 1e9
    let text = isPlain ? ((self * 100).rounded() / 100).description : Float(self).description
    let amount = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    return "\(amount) \(currency.isEmpty ? "\"\"" : currency.visible)"
  }
}

extension FrameworkCall {
  /// The values that count or are kept; nil when there are none.
  ///
  /// - Parameters:
  ///   - app: the window by the app's clock.
  ///   - apple: the window by Apple's.
  package func displayText(_ app: ConversionWindow?, apple: ConversionWindow?) -> String? {
    let isFirst = app == .p0 || apple == .p0 || apple == nil
    switch self {
    case .register: return nil
    case .updateConversionValue(let fine): return "fine \(fine)"
    case .updatePostback(let fine): return isFirst ? "fine \(fine)" : nil
    case .updatePostbackCoarse(let fine, let coarse, let lock):
      let parts = (isFirst ? ["fine \(fine)"] : []) + [coarse?.rawValue ?? "no coarse"] + (lock ? ["lock"] : [])
      return parts.joined(separator: ", ")
    }
  }
}

extension Outcome {
  /// Why no call reached Apple, with "dropped" in front where the snippet dropped the update; nil when nothing is to be said.
  package var reason: String? { cause.map { $0.isDrop ? "dropped: \($0.text)" : $0.text } }

  /// Why no call reached Apple, and whether it is that the snippet dropped the update.
  package var cause: (text: String, isDrop: Bool)? {
    switch self {
    case .notRegistered: ("the app has not registered", true)
    case .windowOver: ("no window of the app is open any more", true)
    case .blocked: ("an earlier answer left the snippet's lock held", true)
    case .iosTooOld: ("this iOS is too old", true)
    case .notHigher: ("not higher than the value the app keeps", true)
    case .noUpdate: ("the endpoint had no new value", false)
    case .serverError: ("the endpoint answered with an error", false)
    case .unparsable: ("the answer could not be read", false)
    case .illegalValues: ("the answer has values out of range; the snippet's lock stays held", false)
    case .transportError: ("no answer came", false)
    case .crashed: ("the app crashed", false)
    case .ignored: ("not added", false)
    case .alreadyRegistered: ("nothing to do: registered before", false)
    case .frameworkError: ("Apple's call failed; the app keeps the values all the same", false)
    case .registered, .updated, .added, .read, .relaunched, .set, .forwarded: nil
    }
  }
}

extension CallFate.Kind {
  /// Why Apple does not hold what it was called with; nil when it does.
  package var reason: String? {
    switch self {
    case .taken, .registered: nil
    case .alreadyRegistered: "Apple has the install registered already"
    case .organic: "Apple holds nothing: no ad brought this install"
    case .unknownVersion: "Apple holds nothing: this iOS does not know the ad's version"
    case .tooLate: "ignored by Apple: 60 days after the install it takes no first call"
    case .locked: "ignored by Apple: the window is locked"
    case .windowsOver: "ignored by Apple: its windows are over"
    case .final: "ignored by Apple: its timer ran out, the value is final"
    case .notHigher: "ignored by Apple: not higher than what it holds"
    case .fineOnly: "ignored by Apple: after P0 a coarse value is needed"
    case .refused: "refused by Apple; the app keeps the values all the same"
    }
  }
}
