import SKANDevice
import SKANSigning

/// The postbacks of one kind of key, in groups. Tables of different kinds are never added up.
package struct ReportTable: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case apple, development, simulated
    /// Postbacks that no key verified.
    case unverified
  }

  package struct Row: Sendable, Equatable {
    /// The value of each of the report's dimensions, in order; empty for none.
    package let group: [String]
    package fileprivate(set) var counts = ReportCounts()
  }

  package let kind: Kind
  /// The rows in order of their groups, numbers by value.
  package fileprivate(set) var rows: [Row] = []
  package fileprivate(set) var total = ReportCounts()
}

extension ReportTable {
  /// The indices of the dimensions in which the rows differ.
  package var differing: [Int] {
    guard let first = rows.first?.group else { return [] }
    return first.indices.filter { index in rows.contains { $0.group[index] != first[index] } }
  }

  /// The values that all rows share: `network com.example, app 525463029`; empty for none.
  ///
  /// - Parameter headings: the names of the report's dimensions.
  package func common(_ headings: [String]) -> String {
    guard let first = rows.first?.group else { return "" }
    let (differing, named) = (differing, zip(headings, first).enumerated())
    return named.filter { !differing.contains($0.offset) && !$0.element.1.isEmpty }
      .map { "\($0.element.0) \($0.element.1)" }.joined(separator: ", ")
  }
}

extension PostbackReport {
  /// The tables of the kinds of keys that have postbacks.
  package func tables(by date: ReportDate, grouping dimensions: [ReportDimension]) -> [ReportTable] {
    var groups = ReportGroups(self, date, dimensions)
    forEach { key, tally in
      let index = tally.first.postback
      let time = Instant(microseconds: tally.first.receivedAt)
      groups.change(.init(key), index, time, by: key.clock) { $0.add(postbacks[Int(index)], tally) }
    }
    for (key, counts) in unverified {
      let time = Instant(microseconds: key.hour * 3_600_000_000)
      groups.change(.unverified, key.postback, time, by: .production) { $0.add(counts) }
    }
    return groups.tables
  }
}

extension ReportTable.Kind {
  init(_ key: ReceivedSignature.Key) {
    switch key {
    case .apple: self = .apple
    case .development: self = .development
    case .simulated: self = .simulated
    }
  }
}

/// Finds the row of a postback.
private struct ReportGroups {
  private struct Key: Hashable {
    let kind: ReportTable.Kind
    let values: [String]
  }

  /// The properties that determine the row.
  private struct Cause: Hashable {
    let kind: ReportTable.Kind
    let postback: Int32
    let day: Int64?
  }

  private let report: PostbackReport
  private let date: ReportDate
  private let dimensions: [ReportDimension]
  private var rows: [(kind: ReportTable.Kind, row: ReportTable.Row)] = []
  private var indices: [Key: Int] = [:]
  private var known: [Cause: Int] = [:]

  init(_ report: PostbackReport, _ date: ReportDate, _ dimensions: [ReportDimension]) {
    (self.report, self.date, self.dimensions) = (report, date, dimensions)
  }

  mutating func change(
    _ kind: ReportTable.Kind, _ index: Int32, _ time: Instant, by clock: DeviceProfile.ClockPreset,
    _ change: (inout ReportCounts) -> Void
  ) {
    let postback = report.postbacks[Int(index)]
    let day = dimensions.contains(.day) ? date.day(of: postback, receivedAt: time, by: clock) : nil
    let cause = Cause(kind: kind, postback: index, day: day)
    let position = known[cause] ?? row(Key(kind: kind, values: dimensions.map { $0.value(of: postback, day: day) }))
    known[cause] = position
    change(&rows[position].row.counts)
  }

  private mutating func row(_ key: Key) -> Int {
    if let position = indices[key] { return position }
    indices[key] = rows.count
    rows.append((key.kind, ReportTable.Row(group: key.values)))
    return rows.count - 1
  }

  var tables: [ReportTable] {
    ReportTable.Kind.allCases.compactMap { kind in
      var table = ReportTable(kind: kind)
      table.rows = rows.filter { $0.kind == kind }.map(\.row).sorted { $0.group.precedes($1.group) }
      for row in table.rows { table.total.add(row.counts) }
      return table.rows.isEmpty ? nil : table
    }
  }
}

extension [String] {
  /// Orders numbers by value, before texts.
  fileprivate func precedes(_ other: [String]) -> Bool {
    for (one, two) in zip(self, other) where !one.isLiterally(two) {
      switch (Int64(one), Int64(two)) {
      case (let one?, let two?) where one != two: return one < two
      case (.some, nil): return true
      case (nil, .some): return false
      default: return one.literallyPrecedes(two)
      }
    }
    return false
  }
}

/// The dimensions by which postbacks can be grouped.
package enum ReportDimension: String, CaseIterable, Sendable {
  case network
  /// The campaign id of versions up to 3, or the source identifier of version 4.
  case campaign
  case app
  case version
  case window
  case day
  /// The campaign id from the campaign map.
  case mappedID = "mapped-id"
  case mappedName = "mapped-name"
  /// The country that the postback states, which is not signed, or else that of the campaign map.
  case country
  case fineValue = "fine-value"
  case coarseValue = "coarse-value"
  /// The currency of the decoded revenue.
  case currency
  case framework = "protocol"
  /// AdAttributionKit alone; SKAdNetwork has none.
  case conversionType = "conversion-type"

  /// The column's name in Singular's raw SKAN report (article 360056377792 and clients of that API), or else Apple's
  /// name of the field or ours.
  func columnName(by date: ReportDate) -> String {
    switch self {
    case .network: "skan_network_id"
    case .campaign: "skan_campaign_id"
    case .app: "skan_app_id"
    case .version: "skan_version"
    case .window: "postback_sequence_index"
    case .day: date.columnName
    case .mappedID: "tracker_campaign_id"
    case .mappedName: "tracker_campaign_name"
    case .country: "country_field"
    case .fineValue: "skan_conversion_value"
    case .coarseValue: "coarse_conversion_value"
    case .currency: "revenue_currency"
    case .framework: "protocol"
    case .conversionType: "conversion_type"
    }
  }

  /// The value of a postback in this dimension; empty for none.
  ///
  /// - Parameter day: days since 1970.
  func value(of postback: ReportedPostback, day: Int64?) -> String {
    switch self {
    case .network: postback.network
    case .campaign: postback.campaign
    case .app: postback.app
    case .version: postback.version
    case .window: postback.window.map { "\($0.rawValue)" } ?? ""
    case .day: day.map { "\(Instant(microseconds: $0 * 86_400_000_000))".prefix(10).description } ?? ""
    case .mappedID: postback.mappedID
    case .mappedName: postback.mappedName
    case .country: postback.country
    case .fineValue: postback.fine.map(String.init) ?? ""
    case .coarseValue: postback.coarse?.rawValue ?? ""
    case .currency: postback.meaning?.revenue?.currency ?? ""
    case .framework: postback.framework.rawValue
    case .conversionType: postback.conversionType
    }
  }
}

/// The day to which a postback belongs, in UTC.
package enum ReportDate: String, CaseIterable, Sendable {
  /// The day of receipt.
  case postbackDate = "postback-date"
  /// The day of receipt minus the middle of Apple's window and delay; see the article "Reports of postbacks".
  case estimatedInstallDate = "estimated-install-date"

  /// The name of the date type in Singular's SKAN reports (article 360056377792, `skadnetwork_date_type`).
  var columnName: String { self == .postbackDate ? "skan_postback_date" : "estimated_install_date" }

  /// Sentences that explain how the day is determined.
  package var explanation: [String] {
    switch self {
    case .postbackDate: return ["Days are the days of receipt, in UTC."]
    case .estimatedInstallDate:
      let windows = ConversionWindow.allCases.map { "P\($0.rawValue) \(PostbackAge(.v4, $0, clock: .production).text)" }
      return [
        "Install days (UTC) are estimated: the receipt minus the middle of window and delay.",
        "Version 4.0: \(windows.joined(separator: ", ")).",
        "Up to 3.0: \(PostbackAge(.v3, .p0, clock: .production).text).",
        "With a locked window the estimate is too early; with a value that rose later, it is too late.",
      ]
    }
  }

  /// The day of a postback, in days since 1970; nil where it cannot be estimated.
  func day(of postback: ReportedPostback, receivedAt time: Instant, by clock: DeviceProfile.ClockPreset) -> Int64? {
    switch self {
    case .postbackDate: return time.count(of: .hours(24))
    case .estimatedInstallDate:
      guard let age = postback.age(by: clock) else { return nil }
      return Instant(microseconds: time.microseconds - age.middle.microseconds).count(of: .hours(24))
    }
  }
}

extension ReceivedSignature.Key {
  /// The clock of phones that send such postbacks: development impressions are tested in Developer Mode.
  var clock: DeviceProfile.ClockPreset { self == .development ? .developer : .production }
}

extension Instant {
  /// The number of whole spans since 1970, negative before.
  func count(of span: TimeSpan) -> Int64 {
    let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: span.microseconds)
    return rest < 0 ? quotient - 1 : quotient
  }
}

extension PostbackAge {
  /// A text such as `84 h (72-96)`.
  fileprivate var text: String {
    let hours = { (span: TimeSpan) in span.microseconds / TimeSpan.hours(1).microseconds }
    return "\(hours(middle)) h (\(hours(shortest))-\(hours(longest)))"
  }
}
