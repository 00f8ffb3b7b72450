import SKANBase
import SKANDevice

/// The counts of one row's postbacks. Sums of such counts do not depend on their order.
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

/// The sum of decoded ranges of revenue in one currency.
package struct RevenueSum: Sendable, Equatable {
  package private(set) var postbacks = 0
  /// The sum of all lower ends.
  package private(set) var min = MicroAmount.zero
  /// The sum of the upper ends of those ranges that have one.
  package private(set) var below = MicroAmount.zero
  /// How many have none.
  package private(set) var openEnded = 0

  mutating func add(_ range: ReportedMeaning.Revenue) {
    postbacks += 1
    min += range.min
    if let end = range.below { below += end } else { openEnded += 1 }
  }

  static func + (left: RevenueSum, right: RevenueSum) -> RevenueSum {
    var sum = left
    sum.postbacks += right.postbacks
    sum.min += right.min
    sum.below += right.below
    sum.openEnded += right.openEnded
    return sum
  }
}

/// How often an event happened by what values stand for.
package struct EventSum: Sendable, Equatable {
  /// How many have a value that stands for the event.
  package private(set) var postbacks = 0
  /// The sum of all lower ends. At the end of its range it stays there, as ``most`` does.
  package private(set) var least: Int64 = 0
  /// The sum of the upper ends of those counts that have one.
  package private(set) var most: Int64 = 0
  /// How many counts have none.
  package private(set) var openEnded = 0

  /// - Parameter isAgain: whether the same mapping named the event before.
  mutating func add(_ event: ReportedMeaning.Event, isAgain: Bool) {
    if !isAgain { postbacks += 1 }
    least = least.adding(event.least)
    if let end = event.most { most = most.adding(end) } else { openEnded += 1 }
  }

  static func + (left: EventSum, right: EventSum) -> EventSum {
    var sum = left
    sum.postbacks += right.postbacks
    sum.least = left.least.adding(right.least)
    sum.most = left.most.adding(right.most)
    sum.openEnded += right.openEnded
    return sum
  }
}

extension Int64 {
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

/// An amount of money in millionths, so that a sum does not depend on the order of what is added.
package struct MicroAmount: Sendable, Hashable, Comparable {
  /// At the end of its range it stays there.
  package private(set) var millionths: Int64

  package static let zero = MicroAmount(0)

  /// - Parameter amount: is rounded to millionths; below 0 it counts as 0, which no range of revenue is.
  package init(_ amount: Double) {
    let rounded = (amount * 1_000_000).rounded()
    millionths = rounded >= 9e18 ? .max : rounded > 0 ? Int64(rounded) : 0
  }

  package static func < (left: MicroAmount, right: MicroAmount) -> Bool { left.millionths < right.millionths }

  package static func += (left: inout MicroAmount, right: MicroAmount) {
    let (sum, overflow) = left.millionths.addingReportingOverflow(right.millionths)
    left.millionths = overflow ? .max : sum
  }

  /// In whole units.
  package var units: Double { Double(millionths) / 1_000_000 }
}

extension MicroAmount: CustomStringConvertible {
  /// With two to six decimals: `12.50`, `0.015`.
  package var description: String {
    let fraction = String(millionths % 1_000_000).leftPadded(to: 6, with: "0")
    let rest = fraction.dropFirst(2).trimmingSuffix { $0 == "0" }
    return "\(millionths / 1_000_000).\(fraction.prefix(2))\(rest)"
  }
}

/// How a report names things wherever a person reads it.
extension ReportTable.Kind {
  package var title: String {
    switch self {
    case .apple: "Apple's postbacks"
    case .development: "Development postbacks: any phone in Developer Mode can send them, for every app"
    case .simulated: "Simulated postbacks: signed with a tester's own key"
    case .unverified: "Not verified, and not counted: nothing vouches for what these say"
    }
  }
}

extension ReportDimension {
  package var heading: String { rawValue.replacing("-", with: " ") }
}

extension ReportCounts {
  /// The part of those that won and have no value: `12.5 %`; a dash when none won.
  package var shareText: String { withoutValue.percent(of: won) }

  /// The text about all of them in words, a line a subject.
  package var remarks: [String] {
    var remarks: [String] = []
    if notWon > 0 { remarks.append("\(notWon) did not win: no installs, and without values by Apple's rules") }
    if oddValues > 0 { remarks.append("\(oddValues) with a value of another form than Apple's") }
    if decoded + undecoded + withoutModel > 0 {
      remarks.append(
        "values: \(decoded) decoded, \(undecoded) undecoded (not in the model), \(withoutModel) without a model"
      )
    }
    if duplicates + conflicts > 0 {
      remarks.append(
        "not counted: \(duplicates) duplicate\(duplicates == 1 ? "" : "s"), \(conflicts) in conflict with the first copy"
      )
    }
    return remarks
  }
}

extension RevenueSum {
  /// The upper end: `60.00`, `60.00 + 2 without end`.
  package var belowText: String {
    if openEnded == postbacks { return "no end" }
    return openEnded == 0 ? "\(below)" : "\(below) + \(openEnded) without end"
  }
}

extension EventSum {
  /// The upper end of the count.
  package var mostText: String {
    if most == 0 { return "no end" }
    return openEnded == 0 ? "\(most)" : "\(most) + \(openEnded) without end"
  }
}
