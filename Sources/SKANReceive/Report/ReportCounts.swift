import SKANDevice

/// What the postbacks of one row come to. Sums of such counts do not depend on their order.
package struct ReportCounts: Sendable, Equatable {
  /// Those that count: the first verified copy of each.
  package private(set) var postbacks = 0
  /// First window, won, no redownload.
  package private(set) var installs = 0
  /// Installs that have a value.
  package private(set) var installsWithValue = 0
  /// First window, won, a redownload.
  package private(set) var redownloads = 0
  /// Those of ads that did not win.
  package private(set) var notWon = 0
  /// By window; those with an index that no postback has are in none.
  package private(set) var windows = [0, 0, 0]
  /// Those that won and have no value.
  package private(set) var withoutValue = 0
  /// By fine value.
  package private(set) var fine: [Int: Int] = [:]
  /// By window and coarse value.
  package private(set) var coarse = [[Int]](repeating: [0, 0, 0], count: 3)
  /// Those with a value of another form than Apple's.
  package private(set) var oddValues = 0
  /// Those with a value that the model has a mapping for.
  package private(set) var decoded = 0
  /// Those with a value that the model has none for.
  package private(set) var undecoded = 0
  /// Those with a value for whose app no model was given.
  package private(set) var withoutModel = 0
  /// By currency.
  package private(set) var revenue: [String: RevenueSum] = [:]
  /// By name.
  package private(set) var events: [String: EventSum] = [:]

  // Beside them, and never added.

  /// Copies that say what the first says.
  package private(set) var duplicates = 0
  /// Copies that say something else.
  package private(set) var conflicts = 0
  package private(set) var invalid = 0
  package private(set) var notChecked = 0

  /// Those that won: only they can have a value.
  package var won: Int { postbacks - notWon }

  /// The part of those that won and have no value, from 0 to 1; nil when none won.
  package var shareWithoutValue: Double? { won == 0 ? nil : Double(withoutValue) / Double(won) }

  /// Copies and others that do not count.
  package var beside: Int { duplicates + conflicts + invalid + notChecked }
}

extension ReportCounts {
  /// Adds a postback and its copies.
  mutating func add(_ postback: ReportedPostback, _ copies: CopyTally) {
    postbacks += 1
    duplicates += copies.duplicates
    conflicts += copies.conflicts
    if postback.isConversion, postback.isRedownload {
      redownloads += 1
    } else if postback.isConversion {
      installs += 1
      if postback.hasValue { installsWithValue += 1 }
    }
    if !postback.hasWon { notWon += 1 } else if !postback.hasValue { withoutValue += 1 }
    if let window = postback.window { windows[window.rawValue] += 1 }
    if let value = postback.fine { fine[value, default: 0] += 1 }
    if let value = postback.coarse, let window = postback.window { coarse[window.rawValue][value.index] += 1 }
    if postback.hasOddValue { oddValues += 1 }
    if postback.hasValue { add(postback.meaning) }
  }

  private mutating func add(_ meaning: ReportedMeaning?) {
    guard let meaning else { return withoutModel += 1 }
    if meaning.isUndecoded { return undecoded += 1 }
    decoded += 1
    if let range = meaning.revenue { revenue[range.currency, default: RevenueSum()].add(range) }
    for (index, event) in meaning.events.enumerated() {
      let isAgain = meaning.events[..<index].contains { $0.name == event.name }
      events[event.name, default: EventSum()].add(event, isAgain: isAgain)
    }
  }

  mutating func add(_ counts: PostbackReport.UnverifiedCount) {
    invalid += counts.invalid
    notChecked += counts.notChecked
  }

  /// Adds those of another row.
  mutating func add(_ other: ReportCounts) {
    postbacks += other.postbacks
    installs += other.installs
    installsWithValue += other.installsWithValue
    redownloads += other.redownloads
    notWon += other.notWon
    withoutValue += other.withoutValue
    oddValues += other.oddValues
    decoded += other.decoded
    undecoded += other.undecoded
    withoutModel += other.withoutModel
    duplicates += other.duplicates
    conflicts += other.conflicts
    invalid += other.invalid
    notChecked += other.notChecked
    for window in windows.indices {
      windows[window] += other.windows[window]
      for value in coarse[window].indices { coarse[window][value] += other.coarse[window][value] }
    }
    fine.merge(other.fine, uniquingKeysWith: +)
    revenue.merge(other.revenue, uniquingKeysWith: +)
    events.merge(other.events, uniquingKeysWith: +)
  }
}

extension CoarseValue {
  /// Its index among low, medium and high.
  package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
