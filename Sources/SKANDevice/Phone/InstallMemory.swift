/// What an endpoint with a model remembers of an install.
package struct InstallMemory: Sendable, Equatable {
  package var counts: EventCounts
  /// The contents of the install's requests to a server; not kept for a phone in this process.
  private var past: Past?
  /// The revision of the device whose request was found right; nil when there was none.
  package var checkedRevision: UInt32?

  /// Nothing was seen.
  package static let none = InstallMemory(counts: .none)

  package init(counts: EventCounts) { self.counts = counts }

  /// Shared by copies until one of them changes, and out of the way of those who do not need it.
  private final class Past: Sendable, Equatable {
    let at: Instant
    let showsAnswers: Bool
    let totals: PerWindow<Totals?>

    init(at: Instant, showsAnswers: Bool, totals: PerWindow<Totals?>) {
      self.at = at
      self.showsAnswers = showsAnswers
      self.totals = totals
    }

    static func == (left: Past, right: Past) -> Bool {
      left.at == right.at && left.showsAnswers == right.showsAnswers && left.totals == right.totals
    }
  }

  /// Whether the same is remembered of the requests; when they were checked does not count.
  package static func == (left: InstallMemory, right: InstallMemory) -> Bool {
    left.counts == right.counts && left.past == right.past
  }

  /// The life-long revenue as a request had it.
  package struct Totals: Sendable, Equatable {
    package var iap: RevenueTable?
    package var ads: RevenueTable?

    package init(iap: RevenueTable? = nil, ads: RevenueTable? = nil) {
      self.iap = iap
      self.ads = ads
    }
  }

  /// The last totals that came before a window, and the window in which they came.
  package func totals(before window: ConversionWindow) -> (window: ConversionWindow, totals: Totals)? {
    guard let past else { return nil }
    for earlier in ConversionWindow.allCases.reversed() where earlier.rawValue < window.rawValue {
      if let totals = past.totals[earlier] { return (earlier, totals) }
    }
    return nil
  }

  /// Whether a request can only come from a new install with the first call of the one known here, as the next run of a
  /// test makes it: a phone never forgets that it was answered, and its beginning does not come after its later life.
  package func isOfOlderInstall(_ showsAnswers: Bool, at now: Instant) -> Bool {
    guard let past, !showsAnswers else { return false }
    return past.showsAnswers || now < past.at
  }

  /// Remembers what a request said.
  ///
  /// - Parameter showsAnswers: whether it has values that only an answer can have left on the phone.
  package mutating func note(_ totals: Totals, showsAnswers: Bool, in window: ConversionWindow, at now: Instant) {
    var all = past?.totals ?? PerWindow(repeating: nil)
    all[window] = totals
    past = Past(at: now, showsAnswers: showsAnswers, totals: all)
  }
}
