import SKANDevice

/// The content of a drawing of an install's life, without sizes, colors or a medium.
///
/// It only depends on the given values, so equal lives give equal timelines; see the articles "Conversion windows",
/// "Apple's framework" and "Postbacks".
package struct Timeline: Sendable {
  /// The app's bundle identifier and version.
  package let title: String
  /// The snippet, iOS, ad and clock.
  package let subtitle: String
  /// Notes for the reader, in sentences.
  package let remarks: [String]
  /// The time from which others are counted.
  package let origin: Instant
  package let axis: TimeAxis
  /// The time at which the life is drawn; later times are a forecast.
  package let now: Instant
  /// The values that the app keeps, and those that Apple holds.
  package let lanes: [ValueLane]
  /// The events, in order.
  package let moments: [StoryItem]
  /// The final differences between the app and Apple.
  package let differences: [String]
  package let postbacks: [PostbackBar]
  /// The updates that overlap.
  package let updates: [UpdateGroup]
  /// The windows in order, with the events in them.
  package let chapters: [Chapter]

  /// The chart's rows with a symbol for each event, where there are any, and their heading.
  package var signRows: (heading: String, rows: [(mark: StoryItem.Mark, name: String)]) {
    let all: [(mark: StoryItem.Mark, name: String)] = [
      (.taken, "taken"), (.ignored, "ignored"), (.dropped, "not made"), (.revenue, "revenue"),
      (.refund, "refunds"),
    ]
    let rows = all.filter { row in moments.contains { $0.mark == row.mark } }
    let (hasRevenue, hasRefunds) = (rows.contains { $0.mark == .revenue }, rows.contains { $0.mark == .refund })
    let heading =
      hasRefunds
      ? "Calls to Apple, \(hasRevenue ? "revenue " : "")and refunds"
      : hasRevenue ? "Calls to Apple, and revenue" : "Calls to Apple"
    return (heading, rows)
  }

  /// The events of a combined row, a line each.
  package func lines(of row: StoryRow) -> [String] { row.parts.isEmpty ? [] : lines(of: row.parts, count: row.count) }

  /// - Parameter count: the number of events, of which `items` are the first.
  func lines(of items: [StoryItem], count: Int) -> [String] {
    let lines = items.map { item in
      [elapsed(item.at), item.what, item.value, item.reason.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    }
    return lines + (count > items.count ? ["and \(count - items.count) more"] : [])
  }

  /// Whether the present lies within the drawing.
  package var showsNow: Bool { now > axis.start && now < axis.end }

  /// A window, or the time before the first or after the last one.
  package struct Chapter: Sendable {
    /// A name such as `P0`.
    package let name: String
    /// Its start and end, in words.
    package let span: String
    package let window: ConversionWindow?
    /// Its results, each with a name.
    package internal(set) var facts: [(name: String, text: String)]
    package internal(set) var rows: [StoryRow]
  }

  /// - Parameters:
  ///   - history: the events; empty when only their result is known.
  ///   - postbacks: the postbacks as of `now`.
  ///   - now: the time at which the life is drawn; the last event's if that is later.
  ///   - underWay: the number of updates that have not ended at that time, and are not in the history.
  package init(
    _ device: Device, history: [LifeEvent], postbacks: [Postback], now: Instant, underWay: Int = 0
  ) {
    let history = history.inOrder(of: \.at)
    let now = history.map(\.at).reduce(now, max)
    let life = TimelineLife(device, history: history, postbacks: postbacks, now: now)
    let axis = TimeAxis(life)
    let items = history.map { StoryItem($0, in: life) }
    title = "\(device.profile.bundleID) \(device.profile.appVersion)".visible
    subtitle = life.subtitle
    remarks = life.remarks(items, underWay: underWay)
    origin = life.origin
    self.axis = axis
    self.now = now
    lanes = [ValueLane(belief: life), ValueLane(truth: life)]
    updates = UpdateGroup.all(history, lanes: lanes.reversed())
    moments = items
    differences = life.differences
    self.postbacks = postbacks.map { PostbackBar($0, life) }
    chapters = Chapter.all(life, items, self.postbacks)
  }
}

extension Timeline.Chapter {
  /// The most rows of a window.
  private static let mostRows = 12

  static func all(_ life: TimelineLife, _ items: [StoryItem], _ postbacks: [PostbackBar]) -> [Timeline.Chapter] {
    let bands = life.bands
    var chapters: [Timeline.Chapter] = []
    func add(_ name: String, _ span: String, _ window: ConversionWindow?, _ items: [StoryItem]) {
      let facts = window.map { life.facts(of: $0, postbacks) } ?? []
      chapters.append(
        Timeline.Chapter(
          name: name, span: span, window: window, facts: facts, rows: StoryRow.all(items, most: mostRows)))
    }
    guard let first = bands.first, let last = bands.last else {
      add("Not registered", "no window has begun", nil, items)
      chapters[0].facts = postbacks.map { ($0.name, $0.sentence) }
      return chapters
    }
    let before = items.filter { $0.at < first.start }
    if !before.isEmpty { add("Before", "the first call", nil, before) }
    for band in bands {
      let inside = items.filter { $0.at >= band.start && $0.at < band.end }
      add(band.title, "\(life.elapsed(band.start)) to \(life.elapsed(band.end))", band.window, inside)
    }
    let after = items.filter { $0.at >= last.end }
    if !after.isEmpty { add("After", bands.count > 1 ? "the last window" : "the end of updates", nil, after) }
    return chapters
  }
}

extension Band {
  fileprivate var title: String {
    switch name {
    case "timer": "Apple's timer"
    case "updates": "Open for updates"
    default: name
    }
  }
}

extension TimelineLife {
  /// The results of a window.
  fileprivate func facts(of window: ConversionWindow, _ postbacks: [PostbackBar]) -> [(name: String, text: String)] {
    let isAhead = bands.first { $0.window == window }.map { now < $0.start } ?? false
    var facts: [(name: String, text: String)] = []
    if !isAhead {
      facts.append(("the app keeps", kept[window].displayText))
      facts.append((device.traits.install.isAdAttributionKit ? "AAK holds" : "Apple holds", held[window].displayText))
    }
    let sums = revenue(in: window)
    if !sums.isEmpty { facts.append(("revenue", sums.joined(separator: ", "))) }
    for postback in postbacks where postback.window == window {
      facts.append((postback.name, postback.sentence))
    }
    if facts.isEmpty { facts.append(("still to come", "the window has not begun")) }
    return facts
  }

  /// The revenue in a window; in SKAN 3, in the whole life.
  private func revenue(in window: ConversionWindow) -> [String] {
    let store = device.kept
    guard device.snippet.rules.splitsRevenue else { return store.iapRevenue.sums }
    return store.windowIAPRevenue[window].sums + store.windowAdRevenue[window].sums.map { "\($0) from ads" }
  }
}

extension RevenueTable? {
  /// The sum of each currency as text.
  var sums: [String] { self?.sums.map { $0.amount.money($0.currency) } ?? [] }
}

extension ValueLane.Values {
  /// A description such as `fine 12, medium, locked`.
  package var displayText: String {
    let parts = [fine.map { "fine \($0)" }, coarse?.name, isLocked ? "locked" : nil].compactMap(\.self)
    return parts.isEmpty ? "no value" : parts.joined(separator: ", ")
  }
}
