/// A conversion of AdAttributionKit by a click on an ad that opened the installed app, or one that a tester made on
/// Apple's screen; see the article "AdAttributionKit".
package struct ReEngagement: Sendable, Equatable {
  package let ad: AdAttribution
  package let opened: Instant
  /// The conversion tag; nil if there is none.
  package let tag: String?
  /// The fields of Apple's screen that the tester chose; nil for a conversion by an ad.
  package let development: DevelopmentConversion?
  /// What AdAttributionKit holds of this conversion.
  package internal(set) var framework: AppleFramework
  /// When a later re-engagement ended it; nil if none did.
  package internal(set) var replaced: Instant?

  package init(
    _ ad: AdAttribution, at opened: Instant, tag: String?, _ development: DevelopmentConversion? = nil,
    framework: AppleFramework? = nil
  ) {
    self.ad = ad
    self.development = development
    self.opened = opened
    self.tag = tag
    if let framework {
      self.framework = framework
    } else {
      self.framework = AppleFramework()
      self.framework.launched(at: opened)
    }
  }
}

extension ReEngagement {
  /// The name in a sentence, from the index among the conversions of the phone.
  package func name(at index: Int) -> String {
    "\(development == nil ? "re-engagement" : "development conversion") \(index + 1)"
  }
}

extension ReEngagement: CustomStringConvertible {
  /// The values held for each window that has any, without a period: `P0 fine 5, high; P1 locked`.
  package var description: String {
    let windows = ConversionWindow.allCases.filter { framework.held[$0] != HeldValues() }.map { window in
      let held = framework.held[window]
      let values = [held.fine.map { "fine \($0)" }, held.coarse?.rawValue, held.lockedAt.map { _ in "locked" }]
      let text = values.compactMap(\.self).joined(separator: ", ")
      return "P\(window.rawValue) \(text.isEmpty ? "no value" : text)"
    }
    return windows.isEmpty ? "nothing" : windows.joined(separator: "; ")
  }
}

/// The conversions of a phone's AdAttributionKit after its install, and what they did to it.
package struct ReEngagements: Sendable, Equatable {
  package internal(set) var all: [ReEngagement] = []
  /// When the first of them ended the conversion of the install; nil if none did.
  package internal(set) var installReplaced: Instant?

  package init(_ all: [ReEngagement] = [], installReplaced: Instant? = nil) {
    self.all = all
    self.installReplaced = installReplaced
  }

  /// When an ad opened the app last; nil if none did.
  var lastOpened: Instant? { all.last { $0.development == nil }?.opened }
}
