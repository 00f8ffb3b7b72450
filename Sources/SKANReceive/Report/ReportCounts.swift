import SKANBase
import SKANDevice

/// The counts of one row's postbacks. Sums of counts do not depend on their order.
package struct ReportCounts: Sendable, Equatable {
  /// Postbacks that count: the first verified copy of each.
  package private(set) var postbacks = 0
  /// Winning postbacks of the first window that are not redownloads.
  package private(set) var installs = 0
  /// Installs with a value.
  package private(set) var installsWithValue = 0
  /// Winning postbacks of the first window that are redownloads.
  package private(set) var redownloads = 0
  /// Winning re-engagements of the first window, which are neither installs nor redownloads. Only AdAttributionKit has them.
  package private(set) var reEngagements = 0
  /// Postbacks of ads that did not win.
  package private(set) var notWon = 0
  /// Postbacks by window; those with an invalid index are left out.
  package private(set) var windows = [0, 0, 0]
  /// Winning postbacks without a value.
  package private(set) var withoutValue = 0
  /// Postbacks by fine value.
  package private(set) var fine: [Int: Int] = [:]
  /// Postbacks by window and coarse value.
  package private(set) var coarse = [[Int]](repeating: [0, 0, 0], count: 3)
  /// Postbacks with a value in another form than Apple's.
  package private(set) var oddValues = 0
  /// Postbacks with a value that the model maps.
  package private(set) var decoded = 0
  /// Postbacks with a value that the model does not map.
  package private(set) var undecoded = 0
  /// Postbacks with a value, but without a model for their app.
  package private(set) var withoutModel = 0
  /// Revenue by currency.
  package private(set) var revenue: [String: RevenueSum] = [:]
  /// Postbacks that state their country, which is not signed.
  package private(set) var statedCountries = 0
  /// Postbacks by what contradicts Apple's pages or the campaign map.
  package private(set) var contradictions: [PostbackFinding.Code: Int] = [:]
  /// Events by name.
  package private(set) var events: [String: EventSum] = [:]

  // Postbacks that do not count, and are never added to those above.

  /// Copies with the content of the first.
  package private(set) var duplicates = 0
  /// Copies with different content.
  package private(set) var conflicts = 0
  package private(set) var invalid = 0
  package private(set) var notChecked = 0

  /// Winning postbacks: only they can have a value.
  package var won: Int { postbacks - notWon }

  /// The share of winning postbacks that have no value, from 0 to 1; nil when none won.
  package var shareWithoutValue: Double? { won == 0 ? nil : Double(withoutValue) / Double(won) }

  /// Postbacks whose country the campaign map contradicts.
  package var contradictedCountries: Int { contradictions[.countryContradicted] ?? 0 }

  /// The number of postbacks that do not count.
  package var beside: Int { duplicates + conflicts + invalid + notChecked }
}

extension ReportCounts {
  /// Adds a postback and its copies.
  mutating func add(_ postback: ReportedPostback, _ copies: CopyTally) {
    postbacks += 1
    duplicates += copies.duplicates
    conflicts += copies.conflicts
    if postback.isConversion, postback.isReEngagement {
      reEngagements += 1
    } else if postback.isConversion, postback.isRedownload {
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
    if postback.statesCountry { statedCountries += 1 }
    for code in postback.contradictions { contradictions[code, default: 0] += 1 }
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

  /// Adds the counts of another row.
  mutating func add(_ other: ReportCounts) {
    postbacks += other.postbacks
    installs += other.installs
    installsWithValue += other.installsWithValue
    redownloads += other.redownloads
    reEngagements += other.reEngagements
    notWon += other.notWon
    withoutValue += other.withoutValue
    oddValues += other.oddValues
    decoded += other.decoded
    undecoded += other.undecoded
    withoutModel += other.withoutModel
    statedCountries += other.statedCountries
    duplicates += other.duplicates
    conflicts += other.conflicts
    invalid += other.invalid
    notChecked += other.notChecked
    for window in windows.indices {
      windows[window] += other.windows[window]
      for value in coarse[window].indices { coarse[window][value] += other.coarse[window][value] }
    }
    fine.merge(other.fine, uniquingKeysWith: +)
    contradictions.merge(other.contradictions, uniquingKeysWith: +)
    revenue.merge(other.revenue, uniquingKeysWith: +)
    events.merge(other.events, uniquingKeysWith: +)
  }
}

extension CoarseValue {
  /// The index among low, medium and high.
  package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The sum of decoded revenue ranges in one currency.
package struct RevenueSum: Sendable, Equatable {
  package private(set) var postbacks = 0
  /// The sum of the lower ends.
  package private(set) var min = MicroAmount.zero
  /// The sum of the upper ends, for ranges that have one.
  package private(set) var below = MicroAmount.zero
  /// The number of ranges without an upper end.
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

/// The decoded counts of an event.
package struct EventSum: Sendable, Equatable {
  /// The number of postbacks whose value includes the event.
  package private(set) var postbacks = 0
  /// The sum of the minimum counts. Like ``most``, it stops at the largest number.
  package private(set) var least: Int64 = 0
  /// The sum of the maximum counts, where there are maximums.
  package private(set) var most: Int64 = 0
  /// The number of counts without a maximum.
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

/// An amount of money in millionths, so that a sum does not depend on the order of adding.
package struct MicroAmount: Sendable, Hashable, Comparable {
  /// Sums stop at the largest number.
  package private(set) var millionths: Int64

  package static let zero = MicroAmount(0)

  /// - Parameter amount: rounded to millionths; negative amounts, which no revenue range has, count as 0.
  package init(_ amount: Double) {
    let rounded = (amount * 1_000_000).rounded()
    millionths = rounded >= 9e18 ? .max : rounded > 0 ? Int64(rounded) : 0
  }

  package static func < (left: MicroAmount, right: MicroAmount) -> Bool { left.millionths < right.millionths }

  package static func += (left: inout MicroAmount, right: MicroAmount) {
    let (sum, overflow) = left.millionths.addingReportingOverflow(right.millionths)
    left.millionths = overflow ? .max : sum
  }

  /// The amount in whole units.
  package var units: Double { Double(millionths) / 1_000_000 }
}

extension MicroAmount: CustomStringConvertible {
  /// The amount with two to six decimals: `12.50`, `0.015`.
  package var description: String {
    let fraction = String(millionths % 1_000_000).leftPadded(to: 6, with: "0")
    let rest = fraction.dropFirst(2).trimmingSuffix { $0 == "0" }
    return "\(millionths / 1_000_000).\(fraction.prefix(2))\(rest)"
  }
}

/// Names in reports for people.
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

extension PostbackReport {
  /// A sentence about the development postbacks that do not count; nil without any.
  package var uncountedText: String? {
    if uncountedDevelopment == 0 { return nil }
    return "\(uncountedDevelopment.counted("development postback")) of AdAttributionKit not counted; "
      + "--allow-development counts them in a table of their own."
  }
}

extension PostbackReport {
  /// The name of a dimension in tables for people.
  package func heading(of dimension: ReportDimension) -> String {
    dimension.rawValue.replacing("-", with: " ") + (isUnsigned(dimension) ? " (not signed)" : "")
  }

  /// Whether values of a dimension that names an origin stand outside of the signature.
  func isUnsigned(_ dimension: ReportDimension) -> Bool { dimension == .country && hasStatedCountries }
}

extension ReportCounts {
  /// ``shareWithoutValue`` as text: `12.5 %`; a dash when none won.
  package var shareText: String { withoutValue.percent(of: won) }

  /// Sentences about the counts, one on each line.
  package func remarks(_ dimensions: [ReportDimension]) -> [String] {
    var remarks: [String] = []
    if notWon > 0 { remarks.append("\(notWon) did not win: no installs, and without values by Apple's rules") }
    if oddValues > 0 { remarks.append("\(oddValues) with a value whose form is not Apple's") }
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
    if dimensions.contains(.country), statedCountries > 0 {
      remarks.append(
        "country: \(statedCountries) by country-code, which is not signed; the campaign map contradicts "
          + "\(contradictedCountries)")
    }
    if !contradictions.isEmpty {
      let codes = sortedContradictions.map { "\($0.code.rawValue) \($0.postbacks)" }
      remarks.append("contradictions: \(codes.joined(separator: ", "))")
    }
    return remarks
  }
}

extension RevenueSum {
  /// The upper end: `60.00`, or which part has none, since a sum of the others would be below the sum of the lower ends.
  package var belowText: String { openEnded == 0 ? "\(below)" : Self.noEnd(openEnded, of: postbacks) }
}

extension EventSum {
  /// The maximum count, or which part has none.
  package var mostText: String { openEnded == 0 ? "\(most)" : RevenueSum.noEnd(openEnded, of: postbacks) }
}

extension RevenueSum {
  fileprivate static func noEnd(_ count: Int, of all: Int) -> String {
    count >= all ? "no end" : "no end (\(count) of \(all))"
  }
}
