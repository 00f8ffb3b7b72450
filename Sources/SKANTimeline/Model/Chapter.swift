import SKANDevice

extension Timeline.Chapter {
  /// How many rows of a window are listed one by one.
  private static let mostRows = 12

  static func all(_ life: Life, _ items: [StoryItem], _ postbacks: [PostbackBar]) -> [Timeline.Chapter] {
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

extension Life {
  /// What became of a window.
  fileprivate func facts(of window: ConversionWindow, _ postbacks: [PostbackBar]) -> [(name: String, text: String)] {
    let isAhead = bands.first { $0.window == window }.map { now < $0.start } ?? false
    var facts: [(name: String, text: String)] = []
    if !isAhead {
      facts.append(("the app keeps", kept[window].displayText))
      facts.append(("Apple holds", held[window].displayText))
    }
    let sums = revenue(in: window)
    if !sums.isEmpty { facts.append(("revenue", sums.joined(separator: ", "))) }
    for postback in postbacks where postback.window == window {
      facts.append(("postback \(window.rawValue + 1)", postback.sentence))
    }
    if facts.isEmpty { facts.append(("still to come", "the window has not begun")) }
    return facts
  }

  /// What was earned in a window; of SKAN 3, in the whole life.
  private func revenue(in window: ConversionWindow) -> [String] {
    let store = device.kept
    guard device.snippet.rules.splitsRevenue else { return store.iapRevenue.sums }
    return store.windowIAPRevenue[window].sums + store.windowAdRevenue[window].sums.map { "\($0) from ads" }
  }
}

extension RevenueTable? {
  /// Each currency's sum in words.
  var sums: [String] { self?.sums.map { $0.amount.money($0.currency) } ?? [] }
}

extension ValueLane.Values {
  /// In words, such as `fine 12, medium, locked`.
  package var displayText: String {
    let parts = [fine.map { "fine \($0)" }, coarse?.name, isLocked ? "locked" : nil].compactMap(\.self)
    return parts.isEmpty ? "no value" : parts.joined(separator: ", ")
  }
}
