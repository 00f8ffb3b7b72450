import SKANDevice

extension Life {
  var subtitle: String {
    let profile = device.profile
    let snippet =
      switch profile.snippet {
      case .skan4: "SKAN 4 snippet"
      case .skan4Beta: "SKAN 4 beta snippet"
      case .skan3: "SKAN 3 snippet"
      }
    let version = (device.framework.version ?? profile.adVersion)?.rawValue
    let unknown = profile.ad.map { "ad of version \($0.version), which this iOS does not know" }
    let ad = version.map { "ad of version \($0)" } ?? unknown ?? "no ad"
    let clock = profile.clock == .developer ? ", developer clock" : ""
    return "\(snippet) on iOS \(profile.ios.text), \(ad)\(clock)"
  }

  /// What must be known to read the rest.
  func remarks(_ items: [StoryItem]) -> [String] {
    var remarks = ["Times count from \(origin), \(originText)."]
    if now > origin { remarks.append("Seen as of \(now), which is \(elapsed(now)).") }
    if history.isEmpty {
      remarks.append("The steps of this life are not known, only what they left: dotted lines have no known moment.")
    }
    if appBands.isEmpty, device.framework.firstUpdate == nil {
      remarks.append("The app never registered: Apple knows nothing of it, and updates are dropped without a word.")
    } else if device.profile.build == .development {
      remarks.append(
        "The app is not from the App Store: Apple refuses every call, and the app keeps the values all the same.")
    } else if device.profile.adVersion == nil, device.framework.version == nil {
      let reason = device.profile.ad == nil ? "No ad brought this install" : "This iOS does not know the ad's version"
      remarks.append("\(reason): Apple takes every call, holds nothing and sends no postback.")
    }
    let updates = items.filter { $0.mark == .taken || $0.mark == .ignored || $0.mark == .dropped }
    if updates.count > 1, updates.allSatisfy({ $0.mark == .dropped }) {
      remarks.append("Nothing reached Apple: all \(updates.count) calls were dropped or came to nothing.")
    }
    if let (app, apple) = startsApart { remarks.append("The app's windows begin at \(app), Apple's at \(apple).") }
    let total = lifelongRevenue
    if !total.isEmpty { remarks.append("Revenue of the whole life: \(total.joined(separator: ", ")).") }
    return remarks
  }

  /// Where the app and Apple differ at the end, in words.
  var differences: [String] {
    device.comparisons.compactMap { comparison in
      guard let difference = comparison.difference else { return nil }
      let isMoment = ["call", "since", "lock"].contains { comparison.name.hasSuffix($0) }
      func displayed(_ text: String?) -> String {
        guard let text else { return "nothing" }
        return isMoment ? Instant(iso8601: text).map { elapsed($0) } ?? text : text.visible
      }
      let values = "\(comparison.name): the app \(displayed(comparison.app)), Apple \(displayed(comparison.apple))"
      return "\(values) (\(reason(difference)))"
    }
  }

  private func reason(_ difference: Difference) -> String {
    guard case .locked(let since) = difference else { return "\(difference)" }
    return "locked at \(elapsed(since)): Apple keeps the values of that moment"
  }

  private var originText: String {
    if Self.instant(device.kept.firstCall) != nil { return "the app's first call to Apple" }
    if device.framework.firstUpdate != nil { return "the first call that Apple knows of" }
    return history.isEmpty ? "the moment of this drawing" : "the first thing that happened"
  }

  /// The beginnings of the two counts, where they are more than a second apart.
  private var startsApart: (app: String, apple: String)? {
    guard appBands.count == 3, appleBands.count == 3, let app = appBands.first?.start,
      let apple = appleBands.first?.start, app.since(apple).microseconds.magnitude > 1_000_000
    else { return nil }
    return (elapsed(app), elapsed(apple))
  }

  private var lifelongRevenue: [String] {
    let store = device.kept
    return store.iapRevenue.sums + store.adRevenue.sums.map { "\($0) from ads" }
  }
}
