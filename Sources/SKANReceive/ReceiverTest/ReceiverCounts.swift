import SKANBase

/// The numbers of a report by path, such as `simulated.total.windows.p0` and
/// `simulated.total.fine_values[12].postbacks`.
package struct ReportNumbers: Sendable {
  /// The paths in order of the report.
  private(set) var paths: [String] = []
  private(set) var values: [String: Double] = [:]
  /// Lists, and tables that are null: a number missing in them is 0.
  private(set) var complete: Set<String> = []
  /// Paths of values that are not numbers.
  private(set) var texts: [String] = []
  /// The dimensions of its groups; nil where the report does not name them.
  private(set) var grouping: JSON?

  /// - Parameter report: a report in the form of `skan report --json`, or some of its members.
  package init(_ report: JSON) {
    guard case .object(let members) = report else { return }
    grouping = report["group"]
    for (key, value) in members where ReportTable.Kind(rawValue: key) != nil { add(value, key) }
  }

  private mutating func add(_ value: JSON, _ path: String) {
    switch value {
    case .integer(let number): set(path, Double(number))
    case .unsigned(let number): set(path, Double(number))
    case .double(let number): set(path, number)
    case .null: complete.insert(path)
    case .bool, .string: texts.append(path)
    case .array(let items):
      complete.insert(path)
      for item in items {
        guard case .object(let members) = item else { continue }
        let names = ["group", "value", "currency", "event", "code"]
        let name = names.compactMap { item[$0].map(Self.name) }.joined(separator: ", ")
        for (key, value) in members where !names.contains(key) { add(value, "\(path)[\(name)].\(key)") }
      }
    case .object(let members):
      // A share is not a count: it changes with each open postback.
      for (key, value) in members where key != "share_without_value" { add(value, "\(path).\(key)") }
    }
  }

  private mutating func set(_ path: String, _ value: Double) {
    if values.updateValue(value, forKey: path) == nil { paths.append(path) }
  }

  /// The name of a list's item, from the member that identifies it.
  private static func name(_ value: JSON) -> String {
    switch value {
    case .string(let text): text
    case .object(let members): members.sorted { $0.key < $1.key }.map { name($0.value) }.joined(separator: ", ")
    default: JSONWriter.text(value)
    }
  }

  /// The number at a path; nil where the report does not contain it.
  subscript(path: String) -> Double? {
    values[path] ?? (complete.contains { path.hasPrefix("\($0).") || path.hasPrefix("\($0)[") } ? 0 : nil)
  }

  /// The increase since an earlier report of the same receiver; nil when no number has changed.
  package func since(_ earlier: ReportNumbers) -> ReportNumbers? {
    if values == earlier.values { return nil }
    var change = self
    for path in paths { change.values[path, default: 0] -= earlier.values[path] ?? 0 }
    return change
  }
}

/// The numbers that a receiver's own report must show after a test.
package struct ReceiverCounts: Sendable, JSONObjectWritable {
  /// One way to count open deliveries.
  fileprivate struct Variant {
    /// The paths in order of the report.
    var paths: [String]
    var ranges: [String: ClosedRange<Double>] = [:]
    let grouping: JSON?
  }

  private var variants: [Variant] = []
  private let forgeries: Int
  private let unverified: Int

  /// Creates counts without variants.
  ///
  /// - Parameters:
  ///   - forgeries: the number of postbacks with an invalid signature.
  ///   - unverified: the number that a receiver may count separately, including forgeries.
  init(forgeries: Int, unverified: Int) {
    self.forgeries = forgeries
    self.unverified = unverified
  }

  /// Adds a way to count.
  ///
  /// - Parameters:
  ///   - least: the report without deliveries that may be left out.
  ///   - most: the report with all deliveries that were sent.
  mutating func add(least: ReportNumbers, most: ReportNumbers) {
    let paths = most.paths + least.paths.filter { most.values[$0] == nil }
    var variant = Variant(paths: paths, grouping: most.grouping)
    for path in paths {
      if path.hasPrefix("unverified.") {
        // Unverified postbacks may be counted under any name, or not at all.
        variant.ranges[path] = 0...Double(unverified)
        continue
      }
      let ends = [least.values[path] ?? 0, most.values[path] ?? 0]
      variant.ranges[path] = min(ends[0], ends[1])...max(ends[0], ends[1])
    }
    variants.append(variant)
  }

  private static let keys = ["installs", "redownloads", "duplicates", "conflicts"]
  /// The key of the count that only reports with postbacks of AdAttributionKit have.
  private static let reEngagements = "re_engagements"

  private var hasReEngagements: Bool { range(Self.reEngagements) != 0...0 }

  /// The range over all variants.
  private func range(_ key: String) -> ClosedRange<Int64> {
    let ranges = variants.map { $0.ranges["simulated.total.\(key)"] ?? 0...0 }
    return Int64(ranges.map(\.lowerBound).min() ?? 0)...Int64(ranges.map(\.upperBound).max() ?? 0)
  }

  /// A description of the numbers to compare with the receiver's; nil when none count, as without signatures.
  package var summary: String? {
    if range("installs") == 0...0 { return nil }
    let parts = (Self.keys + (hasReEngagements ? [Self.reEngagements] : [])).map { key in
      let range = range(key)
      let name = (range == 1...1 ? String(key.dropLast()) : key).replacing("_", with: "-")
      return "\(ReceiverComparison.text(Double(range.lowerBound)...Double(range.upperBound))) \(name)"
    }
    let ending = forgeries > 0 ? "\(forgeries.counted("forgery", "forgeries")), which must not count" : "no forgery"
    return parts.joined(separator: ", ") + "; \(ending)"
  }

  /// The summary as JSON.
  package static let fields = JSONFields<ReceiverCounts> {
    keys.map { key in JSONField<ReceiverCounts>(key, object: rangeFields) { $0.range(key) } }
    JSONField<ReceiverCounts>(optional: reEngagements) { counts in
      counts.hasReEngagements ? CountRange(range: counts.range(reEngagements)) : nil
    }
    JSONField("forgeries") { $0.forgeries }
  }

  private static let rangeFields = JSONFields<ClosedRange<Int64>> {
    JSONField("least", as: .count) { $0.lowerBound }
    JSONField("most", as: .count) { $0.upperBound }
  }

  private struct CountRange: JSONObjectWritable {
    let range: ClosedRange<Int64>

    static let fields = JSONFields<CountRange> { rangeFields.rows.map { $0.of { $0.range } } }
  }

  /// Compares the receiver's counts with the variant that fits best.
  package func compared(with actual: ReportNumbers) -> ReceiverComparison {
    let comparisons = variants.map { $0.compared(with: actual) }
    return comparisons.min { $0.differences.count < $1.differences.count } ?? ReceiverComparison()
  }
}

extension ReceiverCounts.Variant {
  fileprivate func compared(with actual: ReportNumbers) -> ReceiverComparison {
    var comparison = ReceiverComparison()
    let hasOtherGroups = actual.grouping != nil && actual.grouping != grouping
    let isCompared = { (path: String) in
      !path.hasPrefix("unverified.groups[") && !(hasOtherGroups && path.contains(".groups["))
    }
    for path in paths where isCompared(path) {
      guard let value = actual[path], let range = range(of: path, actual) else { continue }
      comparison.add(path, value, range)
    }
    for path in actual.paths where ranges[path] == nil && isCompared(path) {
      guard Self.isNumber(path) else {
        comparison.unknown.append(path)
        continue
      }
      comparison.add(path, actual.values[path] ?? 0, 0...0)
    }
    comparison.unknown += actual.texts.filter(isCompared)
    return comparison
  }

  /// The range of a number. A report without conflicts may include them in its duplicates.
  private func range(of path: String, _ actual: ReportNumbers) -> ClosedRange<Double>? {
    guard let range = ranges[path], path.hasSuffix(".duplicates") else { return ranges[path] }
    let conflicts = "\(path.dropLast("duplicates".count))conflicts"
    guard actual[conflicts] == nil, let others = ranges[conflicts], actual[path] ?? 0 > range.upperBound else {
      return range
    }
    return range.lowerBound + others.lowerBound...range.upperBound + others.upperBound
  }

  /// Whether reports have numbers of this kind, even though the expected report does not contain this one.
  private static func isNumber(_ path: String) -> Bool {
    let table = path.prefix { $0 != "." }
    guard let kind = ReportTable.Kind(rawValue: String(table)) else { return false }
    let rest = path.dropFirst(table.count + 1)
    let row = rest.hasPrefix("total.") ? rest.firstIndex(of: ".") : rest.hasPrefix("groups[") ? rest.lastGroupEnd : nil
    guard let row else { return false }
    let key = rest[rest.index(after: row)...].prefix { $0 != "." && $0 != "[" }
    return ReportTable.keys(of: kind).contains(String(key))
  }
}

extension Substring {
  /// The index of the dot after a group's name.
  fileprivate var lastGroupEnd: Index? { firstRange(of: "].").map { index(before: $0.upperBound) } }
}

/// The differences between a receiver's counts and the expected ones.
package struct ReceiverComparison: Sendable {
  /// How many numbers are as expected.
  package private(set) var agreed = 0
  /// The differences in order of the report.
  package private(set) var differences: [Difference] = []
  /// Paths at which reports have no numbers.
  package fileprivate(set) var unknown: [String] = []

  /// A number that is not as expected.
  package struct Difference: Sendable, Equatable {
    package let path: String
    let actual: Double
    let expected: ClosedRange<Double>

    package var actualText: String { actual.jsonText }
    package var expectedText: String { ReceiverComparison.text(expected) }
  }

  fileprivate mutating func add(_ path: String, _ value: Double, _ range: ClosedRange<Double>) {
    // Sums of money may have been rounded.
    if value >= range.lowerBound - 1e-6, value <= range.upperBound + 1e-6 {
      agreed += 1
    } else {
      differences.append(Difference(path: path, actual: value, expected: range))
    }
  }

  static func text(_ range: ClosedRange<Double>) -> String {
    range.lowerBound == range.upperBound
      ? range.lowerBound.jsonText : "\(range.lowerBound.jsonText) to \(range.upperBound.jsonText)"
  }
}

extension ReceiverComparison.Difference: JSONObjectWritable {
  /// The deliveries that may cause such a difference; nil where they are unknown.
  package var hint: String? {
    let isMore = actual > expected.upperBound
    switch path {
    case "simulated.total.installs", "simulated.total.postbacks", "simulated.total.windows.p0":
      return isMore
        ? "copies count (v3.0-duplicate: a unique index lets a null through; duplicate-signed-anew; parallel-copies), or "
          + "forgeries do (wrong-signature, forged-before)"
        : "a postback does not count: see genuine-after, whose place a forgery may have taken, and late-0"
    case "simulated.total.duplicates":
      return isMore
        ? "a separate postback counts as a copy: see genuine-after, which comes after its forgery"
        : "copies count as postbacks: see v3.0-duplicate"
    case "simulated.total.redownloads":
      return isMore ? nil : "redownloads count as installs, or not at all: see redownload"
    case "simulated.total.re_engagements":
      return isMore ? nil : "re-engagements count as installs, or not at all: see aak-re-engagement"
    case "simulated.total.not_won":
      return isMore ? nil : "see v4.0-not-won and v3.0-not-won"
    case "simulated.total.windows.p1", "simulated.total.windows.p2":
      return isMore ? nil : "a later window is lost: see late-2, which comes before the first"
    case "unverified.total.invalid":
      return isMore ? "genuine postbacks are treated as forgeries" : nil
    default: return nil
    }
  }
  package static let fields = JSONFields<ReceiverComparison.Difference> {
    JSONField("count") { $0.path }
    JSONField("actual") { $0.actual }
    JSONField("least") { $0.expected.lowerBound }
    JSONField("most") { $0.expected.upperBound }
    JSONField("hint") { $0.hint }
  }
}
