import SKANDevice

/// The life of an install as a drawing has it: what to draw and what to write, without sizes, colours or a medium.
///
/// It is made from values alone and is the same for the same life; see the articles "Conversion windows", "Apple's
/// framework" and "Postbacks".
package struct Timeline: Sendable {
  /// The app.
  package let title: String
  /// Snippet, iOS, ad and clock.
  package let subtitle: String
  /// What a reader must know first, in sentences.
  package let remarks: [String]
  /// From what moment times are counted.
  package let origin: Instant
  package let axis: TimeAxis
  /// As of when the life is drawn; what comes later is a forecast.
  package let now: Instant
  /// What the app keeps, and what Apple holds.
  package let lanes: [ValueLane]
  /// What happened, in order.
  package let moments: [StoryItem]
  /// Where the app and Apple differ at the end.
  package let differences: [String]
  package let postbacks: [PostbackBar]
  /// The windows one after another, with everything that happened in them.
  package let chapters: [Chapter]

  /// The rows of the chart that have a sign for each thing that happened, where there is one; and what they are about.
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

  /// What several things that are drawn as one are, a line each.
  package func lines(of row: StoryRow) -> [String] { row.parts.isEmpty ? [] : lines(of: row.parts, count: row.count) }

  /// - Parameter count: how many there are, of which `items` are the first.
  func lines(of items: [StoryItem], count: Int) -> [String] {
    let lines = items.map { item in
      [elapsed(item.at), item.what, item.value, item.reason.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    }
    return lines + (count > items.count ? ["and \(count - items.count) more"] : [])
  }

  /// Whether a moment is still to come, and lies within the drawing.
  package var showsNow: Bool { now > axis.start && now < axis.end }

  /// A window, or the time before the first and after the last.
  package struct Chapter: Sendable {
    /// Such as `P0`.
    package let name: String
    /// From when to when, in words.
    package let span: String
    package let window: ConversionWindow?
    /// What became of it: a name, and what is to be said under it.
    package internal(set) var facts: [(name: String, text: String)]
    package internal(set) var rows: [StoryRow]
  }

  /// - Parameters:
  ///   - history: what happened; empty when only what it left is known.
  ///   - postbacks: as of `now`.
  ///   - now: as of when the life is drawn; never before what happened in it.
  package init(_ device: Device, history: [LifeEvent], postbacks: [Postback], now: Instant) {
    let now = history.map(\.at).reduce(now, max)
    let life = Life(device, history: history, postbacks: postbacks, now: now)
    let axis = TimeAxis(life)
    let items = history.map { StoryItem($0, in: life) }
    title = "\(device.profile.bundleID) \(device.profile.appVersion)".visible
    subtitle = life.subtitle
    remarks = life.remarks(items)
    origin = life.origin
    self.axis = axis
    self.now = now
    lanes = [ValueLane(belief: life), ValueLane(truth: life)]
    moments = items
    differences = life.differences
    self.postbacks = postbacks.map { PostbackBar($0, life) }
    chapters = Chapter.all(life, items, self.postbacks)
  }
}
