import SKANBase

/// How one of several impressions won an install; see the article "Impressions".
package struct ImpressionRace: Sendable, Equatable {
  /// When the app was installed.
  package let at: Instant
  /// The impressions: the winner, those that lost in the order of the race, and those that could not win.
  package let entries: [Entry]

  /// An impression, and the rule that decided about it.
  package struct Entry: Sendable, Equatable {
    package let impression: Impression
    package let rule: ImpressionRule
    /// Why, as the end of a sentence.
    package let why: String

    /// The impression and what became of it, without a period.
    package var sentence: String { "\(impression.name) \(why)" }
  }

  init(at: Instant, entries: [Entry]) { (self.at, self.entries) = (at, entries) }

  package var winner: Entry? { entries.first { $0.rule == .won } }

  /// The ad of the install; nil for an organic one.
  package var ad: AdAttribution? {
    guard var ad = winner?.impression.ad else { return nil }
    ad.lost = entries.filter { $0.rule.hasPostback }.compactMap { $0.impression.lost }
    return ad
  }

  /// Who won, without a period.
  package var sentence: String {
    guard let winner else {
      return entries.isEmpty
        ? "no ad was seen, and the install is organic" : "no impression counts, and the install is organic"
    }
    return winner.sentence
  }
}

/// The rule by which an impression won or did not.
package enum ImpressionRule: String, CaseIterable, Sendable {
  case won
  // In the race
  case clickFirst = "click-first"
  case latestFirst = "latest-first"
  case sameNetwork = "same-network"
  case olderVersion = "older-version"
  case beyondSix = "beyond-six"
  // Not in the race
  case windowOver = "window-over"
  case ignoredInteraction = "ignored-interaction"
  case viewDropped = "view-dropped"
  case cooldown
  case development

  enum Part { case winner, loser, unused }

  var part: Part {
    switch self {
    case .won: .winner
    case .clickFirst, .latestFirst, .sameNetwork, .olderVersion, .beyondSix: .loser
    case .windowOver, .ignoredInteraction, .viewDropped, .cooldown, .development: .unused
    }
  }

  /// Whether the network gets a postback that did not win.
  var hasPostback: Bool { self == .clickFirst || self == .latestFirst }
}

extension ImpressionRace {
  /// Apple considers six impressions at most ("AdAttributionKit and SKAdNetwork interoperability").
  private static let mostConsidered = 6
  /// The views of one app that shows ads that are kept ("Receiving ad attributions and postbacks", of both frameworks).
  static let mostViews = 15

  /// Decides an install.
  ///
  /// - Parameters:
  ///   - impressions: those that the phone has recorded, in the order of their steps.
  ///   - cooldown: that of an earlier conversion.
  init(
    _ impressions: [Impression], at now: Instant, on profile: DeviceProfile, _ cooldown: Impressions.Cooldown? = nil
  ) {
    let rules = ImpressionRules(profile: profile)
    let dropped = rules.droppedViews(impressions)
    var unused: [Entry] = []
    var left: [(index: Int, impression: Impression)] = []
    for (index, impression) in impressions.enumerated() {
      let reason =
        dropped.contains(index)
        ? (.viewDropped, "was dropped for later ones: \(Self.mostViews) views of one app are kept")
        : rules.obstacle(impression, at: now, cooldown)
      if let (rule, why) = reason {
        unused.append(Entry(impression: impression, rule: rule, why: why))
      } else {
        left.append((index, impression))
      }
    }
    let isDevelopment = { (impression: Impression) in impression.isDevelopment(profile.clock) }
    if let other = left.first(where: { !isDevelopment($0.impression) })?.impression {
      unused += left.filter { isDevelopment($0.impression) }.map {
        Entry(
          impression: $0.impression, rule: .development,
          why: "is one for testing and does not count beside \(other.name), which is not")
      }
      left.removeAll { isDevelopment($0.impression) }
    }
    let inOrder = left.sorted { one, other in
      if one.impression.interaction != other.impression.interaction { return one.impression.interaction == .click }
      return one.impression.at == other.impression.at
        ? one.index > other.index : one.impression.at > other.impression.at
    }.map(\.impression)
    self.init(at: now, entries: Self.ranked(inOrder) + unused)
  }

  /// The entries of the impressions that can win, the winner first.
  private static func ranked(_ impressions: [Impression]) -> [Entry] {
    guard let winner = impressions.first else { return [] }
    var networks = [winner.ad.network]
    let isAlone = impressions.count == 1
    let views = impressions.contains { $0.interaction == .view }
    let first =
      isAlone
      ? "wins: it is the only one that counts"
      : winner.interaction == .view || !views
        ? "wins: it is the latest" : "wins: it is the latest click, and a click goes before a view"
    return [Entry(impression: winner, rule: .won, why: first)]
      + impressions.dropFirst().enumerated().map { index, impression in
        if index + 2 > mostConsidered {
          return Entry(
            impression: impression, rule: .beyondSix,
            why: "is not considered: Apple looks at the first \(mostConsidered) in the order of the race")
        }
        if networks.contains(where: { $0.isLiterally(impression.ad.network) }) {
          return Entry(
            impression: impression, rule: .sameNetwork,
            why: "loses to \(winner.name), and its network gets no second postback")
        }
        if impression.lost == nil {
          return Entry(
            impression: impression, rule: .olderVersion,
            why: "loses to \(winner.name), and gets no postback: of versions up to 3 one that lost is not modelled")
        }
        networks.append(impression.ad.network)
        return impression.interaction == winner.interaction
          ? Entry(
            impression: impression, rule: .latestFirst,
            why: "loses to \(winner.name): the later one wins, and its network gets a postback that did not win")
          : Entry(
            impression: impression, rule: .clickFirst,
            why: "loses to \(winner.name): a click goes before a view, and its network gets a postback that did not win"
          )
      }
  }
}

extension Impression {
  /// The impression as one that lost; nil for an ad of SKAdNetwork up to version 3.
  fileprivate var lost: AdAttribution.LostImpression? {
    guard case .sourceIdentifier(let digits) = ad.campaign else { return nil }
    return AdAttribution.LostImpression(
      framework: ad.framework, network: ad.network, sourceIdentifier: digits, fidelity: ad.fidelity, tier: ad.tier,
      source: ad.source)
  }
}

/// The rules that keep an impression from winning, whatever the others are.
private struct ImpressionRules {
  let profile: DeviceProfile

  /// Whether the app's rules concern an impression. Apple does not say whether those of SKAdNetwork follow them.
  private func hasRules(_ impression: Impression) -> Bool {
    profile.ios >= .attributionRules && (impression.ad.isAdAttributionKit || profile.settings.kitRulesForSKAN == .on)
  }

  /// The days for which an impression counts, and whose rule says so.
  private func window(of impression: Impression) -> (days: Int64, rule: String?) {
    let interaction = impression.interaction
    guard hasRules(impression) else { return (interaction.defaultDays, nil) }
    return profile.attributionWindows.days(
      of: interaction, network: impression.ad.network, profile.settings.kitRulesRange)
  }

  private func isOver(_ impression: Impression, at now: Instant) -> Bool {
    let end = impression.at.later(by: .hours(24 * window(of: impression).days))
    return profile.settings.calls.windowEdges == .endIncluded ? now > end : now >= end
  }

  /// The rule that keeps an impression from winning, and why; nil if none does.
  func obstacle(
    _ impression: Impression, at now: Instant, _ cooldown: Impressions.Cooldown?
  ) -> (ImpressionRule, String)? {
    let (interaction, network) = (impression.interaction, impression.ad.network)
    let windows = profile.attributionWindows
    if hasRules(impression), windows.ignores(interaction, of: network) {
      return (
        .ignoredInteraction,
        "does not count: the app's Info.plist ignores the \(interaction.rawValue)s of \(network.oneLine)"
      )
    }
    if isOver(impression, at: now) {
      let (days, rule) = window(of: impression)
      let source = rule.map { "by the app's Info.plist (\($0.oneLine))" } ?? "by default"
      return (.windowOver, "is too old: a \(interaction.rawValue) counts for \(Int(days).counted("day")) \(source)")
    }
    if let cooldown, hasRules(impression), now < cooldown.until {
      return (
        .cooldown,
        "does not count: the app's cool-down after an earlier conversion ends at \(cooldown.until) (setting "
          + "\(cooldown.setting.rawValue))"
      )
    }
    return nil
  }

  /// The indices of views that later ones displace: of one app that shows ads, a number of views is kept. That those
  /// whose days are over count, too, is ours.
  func droppedViews(_ impressions: [Impression]) -> Set<Int> {
    var dropped: Set<Int> = []
    for (index, newest) in impressions.enumerated() where newest.interaction == .view {
      let kept = impressions.indices.prefix(index).filter { earlier in
        let other = impressions[earlier]
        return other.interaction == .view && !dropped.contains(earlier) && sharesRoom(other, newest)
      }
      if kept.count >= ImpressionRace.mostViews, let oldest = kept.min(by: { impressions[$0].at < impressions[$1].at })
      {
        dropped.insert(oldest)
      }
    }
    return dropped
  }

  /// Whether two views count towards the same limit.
  private func sharesRoom(_ one: Impression, _ other: Impression) -> Bool {
    one.ad.source == other.ad.source
      && (profile.settings.kitViewRoom == .shared || one.ad.framework == other.ad.framework)
  }
}
