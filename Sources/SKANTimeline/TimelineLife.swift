import SKANDevice

/// The data of an install's life, and the times that its drawing needs.
struct TimelineLife {
  let device: Device
  let history: [LifeEvent]
  let postbacks: [Postback]
  let now: Instant
  /// The time from which others are counted: the app's first call, else Apple's first update, else the first event.
  let origin: Instant
  /// The windows by the app's clock, and by Apple's.
  let appBands: [Band]
  let appleBands: [Band]

  init(_ device: Device, history: [LifeEvent], postbacks: [Postback], now: Instant) {
    self.device = device
    self.history = history
    self.postbacks = postbacks
    self.now = now
    let firstCall = Self.instant(device.kept.firstCall)
    origin = firstCall ?? device.framework.firstUpdate ?? history.map(\.at).min() ?? now
    appBands = Band.app(device, firstCall: firstCall)
    appleBands = Band.apple(device)
  }

  /// A time from the app's store, in which 0 means none.
  static func instant(_ seconds: Int64?) -> Instant? {
    guard let seconds, seconds != 0 else { return nil }
    return Instant(unixSeconds: Double(seconds))
  }

  /// The windows that divide the life: Apple's where it has them, since they decide.
  var bands: [Band] { appleBands.count > 1 || appBands.isEmpty ? appleBands : appBands }

  /// The window by the app's clock.
  func appWindow(at moment: Instant) -> ConversionWindow? { Band.window(at: moment, in: appBands) }

  /// The window by Apple's clock.
  func appleWindow(at moment: Instant) -> ConversionWindow? { Band.window(at: moment, in: appleBands) }

  /// A time relative to the origin, such as `+1d8h`.
  func elapsed(_ moment: Instant) -> String { moment.since(origin).signedText }
}

/// A period in which values can change.
package struct Band: Sendable, Equatable {
  package let name: String
  package let window: ConversionWindow
  package let start: Instant
  package let end: Instant

  /// The app's bands: three windows in SKAN 4; in SKAN 3 one, which every update extends. None before the first call.
  static func app(_ device: Device, firstCall: Instant?) -> [Band] {
    guard let firstCall else { return [] }
    switch device.snippet.rules.windows {
    case .fromFirstCall: return three(from: firstCall) { firstCall.later(by: TimeSpan(seconds: $0.end)) }
    case .fromLastCall:
      let last = max(TimelineLife.instant(device.kept.lastCall) ?? firstCall, firstCall)
      let end = last.later(by: TimeSpan(seconds: ConversionWindow.skan3Length))
      return [Band(name: "updates", window: .p0, start: firstCall, end: end)]
    }
  }

  /// Apple's bands: three windows for an ad of version 4; for an older one the timer, which each higher value restarts.
  static func apple(_ device: Device) -> [Band] {
    let install = device.traits.install
    let framework = device.framework
    guard let version = framework.version, let start = framework.clockStart(on: install) else { return [] }
    if version.hasWindows { return three(from: start) { framework.end(of: $0, on: install) ?? start } }
    let begin = framework.firstUpdate ?? start
    let end = framework.end(of: .p0, on: install) ?? begin
    return [Band(name: "timer", window: .p0, start: begin, end: max(begin, end))]
  }

  private static func three(from start: Instant, _ end: (ConversionWindow) -> Instant) -> [Band] {
    var bands: [Band] = []
    for window in ConversionWindow.allCases {
      let begin = bands.last?.end ?? start
      bands.append(Band(name: "P\(window.rawValue)", window: window, start: begin, end: end(window)))
    }
    return bands
  }

  /// The window that is open at a time. Times before the first window belong to it, as when a phone's clock goes back.
  static func window(at moment: Instant, in bands: [Band]) -> ConversionWindow? {
    bands.first { moment < $0.end }?.window
  }
}

extension TimelineLife {
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
    let isAdAttributionKit = profile.ad?.isAdAttributionKit ?? false
    let ad =
      isAdAttributionKit
      ? "ad of AdAttributionKit (AAK)" : version.map { "ad of version \($0)" } ?? unknown ?? "no ad"
    let isShort = device.traits.install.clock == .developer
    let clock =
      profile.clock == .production ? "" : isShort ? ", developer clock" : ", developer clock (production impression)"
    return "\(snippet) on iOS \(profile.ios.text), \(ad)\(clock)"
  }

  /// Sentences that a reader needs to understand the rest.
  ///
  /// - Parameter underWay: the number of updates that have not ended.
  func remarks(_ items: [StoryItem], underWay: Int) -> [String] {
    var remarks = ["Times count from \(origin), \(originText)."]
    if now > origin { remarks.append("Seen as of \(now), which is \(elapsed(now)).") }
    if underWay > 0 {
      remarks.append(
        underWay == 1
          ? "An update is still in progress: it is not drawn, and neither is what Apple received from it."
          : "\(underWay) updates are still in progress: they are not drawn, and neither is what Apple received from "
            + "them.")
    }
    if history.isEmpty {
      remarks.append(
        "The steps of this life are not known, only their results: the times of dotted lines are not known.")
    }
    if appBands.isEmpty, device.framework.firstUpdate == nil {
      remarks.append("The app never registered: Apple knows nothing about it, and updates are dropped silently.")
    } else if device.profile.build == .development {
      remarks.append(
        "The app is not from the App Store: Apple refuses every call, and the app still keeps the values.")
    } else if device.profile.adVersion == nil, device.framework.version == nil {
      let reason = device.profile.ad == nil ? "No ad brought this install" : "This iOS does not know the ad's version"
      remarks.append(
        device.engagements == nil
          ? "\(reason): Apple accepts every call, holds nothing and sends no postback."
          : "\(reason): SKAdNetwork accepts every call and holds nothing.")
    }
    if device.traits.install.isAdAttributionKit {
      let mirror =
        device.traits.install.settings.kitMirror == .off
        ? "its calls are not mirrored" : "Apple mirrors its calls into AAK"
      remarks.append(
        "An ad of AdAttributionKit (AAK) brought this install: SKAdNetwork holds nothing, and \(mirror).")
    }
    for (index, conversion) in (device.engagements?.all ?? []).enumerated() {
      remarks.append(
        "\(conversion.name(at: index).capitalizedFirst) began at \(elapsed(conversion.opened)): AAK holds \(conversion)."
      )
    }
    let updates = items.filter { $0.mark == .taken || $0.mark == .ignored || $0.mark == .dropped }
    if updates.count > 1, updates.allSatisfy({ $0.mark == .dropped }) {
      remarks.append("Nothing reached Apple: all \(updates.count) calls were dropped or had no effect.")
    }
    if let (app, apple) = startsApart { remarks.append("The app's windows begin at \(app), Apple's at \(apple).") }
    let total = lifelongRevenue
    if !total.isEmpty { remarks.append("Revenue of the whole life: \(total.joined(separator: ", ")).") }
    return remarks
  }

  /// Sentences about the final differences between the app and Apple.
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
    return "locked at \(elapsed(since)): Apple keeps the values from that moment"
  }

  private var originText: String {
    if Self.instant(device.kept.firstCall) != nil { return "the app's first call to Apple" }
    if device.framework.firstUpdate != nil { return "the first call that Apple knows of" }
    return history.isEmpty ? "the moment of this drawing" : "the first thing that happened"
  }

  /// The starts of the app's and Apple's windows, where they differ by more than a second.
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
