import SKANBase
import SKANDevice

/// An event of a life in the drawing.
package struct StoryItem: Sendable, Equatable {
  package let at: Instant
  package let mark: Mark
  /// A description of the event.
  package let what: String
  /// The values in the call to Apple.
  package let value: String?
  /// Why the event did not succeed; nil if it did.
  package let reason: String?
  /// Whether the event locked a window.
  package let isLock: Bool

  /// The symbol in the drawing for the event's result.
  package enum Mark: Int, CaseIterable, Sendable {
    /// Apple accepted the call.
    case taken
    /// The call reached Apple, which ignored it.
    case ignored
    /// No call was made: the update was dropped, or had no valid answer.
    case dropped
    case revenue
    /// Neither a call nor revenue.
    case other
    /// Negative revenue.
    case refund
  }

  init(_ event: LifeEvent, in life: TimelineLife) {
    at = event.at
    what = event.displayText
    let isTaken = event.fate?.isTaken ?? false
    value = event.call.flatMap {
      $0.displayText(life.appWindow(at: event.storedAt), apple: life.appleWindow(at: event.appleCalledAt))
    }
    switch event.call {
    case .updatePostbackCoarse(_, _, true)?, .updateAdAttributionKit(_, _, true)?: isLock = isTaken
    default: isLock = false
    }
    let outcome =
      event.isIgnoredByAdAttributionKit
      ? "AAK changes nothing" : event.isUnrecordedImpression ? "not recorded" : event.outcome.reason
    reason = event.call == nil ? outcome : event.fate?.reason ?? outcome
    switch event.kind {
    case .revenue(let amount, _, _): mark = event.outcome != .added ? .dropped : amount < 0 ? .refund : .revenue
    case .update, .relaunch: mark = .other
    case .reEngagement: mark = event.outcome == .opened ? .other : .dropped
    case .impression: mark = event.outcome == .added ? .other : .dropped
    case .development: mark = event.outcome == .added ? .other : .dropped
    case .download: mark = .other
    case .register, .session, .event, .forward, .adAttributionKit:
      if event.call == nil {
        mark = event.outcome == .alreadyRegistered ? .other : .dropped
      } else {
        mark = isTaken ? .taken : .ignored
      }
    }
  }
}

/// A row in the drawing for one event, or for several that are combined.
package struct StoryRow: Sendable, Equatable {
  package let first: Instant
  package let last: Instant
  package let mark: StoryItem.Mark
  package let what: String
  package let value: String?
  package let reason: String?
  /// The number of events in the row.
  package let count: Int
  /// The first ``mostParts`` events, where there are several.
  package let parts: [StoryItem]

  /// The most events of a row that are listed.
  static let mostParts = 12

  /// - Parameter items: at least one.
  init(_ items: ArraySlice<StoryItem>) {
    let newest = items[items.endIndex - 1]
    first = items[items.startIndex].at
    last = newest.at
    count = items.count
    parts = items.count > 1 ? Array(items.prefix(Self.mostParts)) : []
    guard items.count > 1 else {
      (mark, what, value, reason) = (newest.mark, newest.what, newest.value, newest.reason)
      return
    }
    let counts = StoryItem.Mark.allCases.map { mark in items.count { $0.mark == mark } }
    let isOneName = items.allSatisfy { $0.what == newest.what }
    let main = StoryItem.Mark.allCases.first { counts[$0.rawValue] == items.count }
    mark = main ?? (counts[0] > 0 ? .taken : counts[1] > 0 ? .ignored : .other)
    what = isOneName ? "\(items.count) × \(newest.what)" : Self.counted(counts)
    let valued = items.last { $0.mark == .taken && $0.value != nil } ?? items.last { $0.value != nil }
    value = valued?.value.map { "last: \($0)" }
    let isOneReason = items.allSatisfy { $0.reason == newest.reason }
    reason = isOneReason ? newest.reason : Self.oddities(counts)
  }

  private static func counted(_ counts: [Int]) -> String {
    let updates = counts[0] + counts[1] + counts[2]
    let counted = [
      (updates, "update", "updates"), (counts[3], "revenue", "revenues"), (counts[5], "refund", "refunds"),
      (counts[4], "other step", "other steps"),
    ]
    return counted.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: ", ")
  }

  private static func oddities(_ counts: [Int]) -> String? {
    let counted = [(counts[1], "ignored by Apple"), (counts[2], "not made")]
    let parts = counted.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// At most `most` rows, combining neighbors that are alike and close in time.
  static func all(_ items: [StoryItem], most: Int) -> [StoryRow] {
    // Merging compares all pairs, so very many items are combined in advance.
    let size = max(1, (items.count + 399) / 400)
    var groups = stride(from: 0, to: items.count, by: size).map { items[$0..<min($0 + size, items.count)] }
    var costs = zip(groups, groups.dropFirst()).map { cost($0, $1) }
    while groups.count > most, let index = costs.indices.min(by: { costs[$0] < costs[$1] }) {
      groups[index] = items[groups[index].startIndex..<groups[index + 1].endIndex]
      groups.remove(at: index + 1)
      costs.remove(at: index)
      if index > 0 { costs[index - 1] = cost(groups[index - 1], groups[index]) }
      if index < costs.count { costs[index] = cost(groups[index], groups[index + 1]) }
    }
    return groups.map { StoryRow($0) }
  }

  /// The information lost when two neighbors are combined: kinds and locks weigh more than time.
  private static func cost(_ left: ArraySlice<StoryItem>, _ right: ArraySlice<StoryItem>) -> Int64 {
    let (one, other) = (left[left.endIndex - 1], right[right.startIndex])
    var cost = right[right.endIndex - 1].at.since(left[left.startIndex].at).microseconds.magnitude / 1000
    if one.mark != other.mark { cost *= 4 }
    if one.reason != other.reason { cost *= 2 }
    if left.contains(where: \.isLock) || right.contains(where: \.isLock) { cost = cost * 16 + 1_000_000_000 }
    return Int64(clamping: cost)
  }
}

extension LifeEvent {
  /// Whether AdAttributionKit had nothing that a direct call could update, or began no re-engagement.
  package var isIgnoredByAdAttributionKit: Bool {
    outcome == .ignored && (kind == .adAttributionKit || kind == .reEngagement)
  }

  /// Whether the phone did not record an impression.
  package var isUnrecordedImpression: Bool { if case .impression = kind { outcome != .added } else { false } }

  /// A description of the event.
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
    case .adAttributionKit: "direct call of AAK"
    case .reEngagement: "an ad opens the app"
    case .development: "development postbacks"
    case .impression(let network, let interaction):
      "\(interaction.rawValue) \(interaction.preposition) an ad of \(network.visible)"
    case .download: "the app is downloaded"
    }
  }
}

extension Double {
  /// An amount of money without single-precision noise: rounded to hundredths, or unchanged if it is small or huge.
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
  ///   - apple: the window by Apple's clock.
  package func displayText(_ app: ConversionWindow?, apple: ConversionWindow?) -> String? {
    let isFirst = app == .p0 || apple == .p0 || apple == nil
    switch self {
    case .register: return nil
    case .updateConversionValue(let fine): return "fine \(fine)"
    case .updatePostback(let fine): return isFirst ? "fine \(fine)" : nil
    case .updatePostbackCoarse(let fine, let coarse, let lock), .updateAdAttributionKit(let fine, let coarse, let lock):
      let parts = (isFirst ? ["fine \(fine)"] : []) + [coarse?.rawValue ?? "no coarse"] + (lock ? ["lock"] : [])
      return parts.joined(separator: ", ")
    }
  }
}

extension Outcome {
  /// Why no call reached Apple, after "dropped" if the snippet dropped the update; nil when one did.
  package var reason: String? { cause.map { $0.isDrop ? "dropped: \($0.text)" : $0.text } }

  /// Why no call reached Apple, and whether the snippet dropped the update.
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
    case .adAttributionKitError: ("AdAttributionKit refused the call", false)
    case .alreadyRegistered: ("nothing to do: registered before", false)
    case .frameworkError: ("Apple's call failed; the app still keeps the values", false)
    case .killed: ("the app's process ended", false)
    case .uncompleted: ("Apple never completed the call; the app keeps nothing", false)
    case .registered, .updated, .added, .read, .relaunched, .set, .forwarded, .opened: nil
    }
  }
}

extension CallFate.Kind {
  /// Why Apple does not hold the values of the call; nil when it does.
  package var reason: String? {
    switch self {
    case .taken, .registered: nil
    case .alreadyRegistered: "Apple has the install registered already"
    case .organic: "Apple holds nothing: no ad brought this install"
    case .unknownVersion: "Apple holds nothing: this iOS does not know the ad's version"
    case .tooLate: "ignored by Apple: 60 days after the install it accepts no first call"
    case .reEngagementOver: "ignored by Apple: 2 days after a re-engagement it accepts no first call"
    case .locked: "ignored by Apple: the window is locked"
    case .windowsOver: "ignored by Apple: its windows are over"
    case .final: "ignored by Apple: its timer ran out, the value is final"
    case .notHigher: "ignored by Apple: not higher than what it holds"
    case .fineOnly: "ignored by Apple: after P0 a coarse value is needed"
    case .notMirrored: "Apple holds nothing from it: not mirrored into AdAttributionKit"
    case .refused: "refused by Apple; the app still keeps the values"
    }
  }
}

extension String {
  /// The text with hidden characters and those that XML forbids shown as `\u{202E}`.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isEscaped) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isEscaped { text += scalar.swiftEscape } else { text.unicodeScalars.append(scalar) }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isEscaped: Bool { isHidden || isOutsideXML }
}
