import SKANDevice
import SKANSigning

/// The postbacks of one kind of key, in groups. Tables of different kinds are never added up.
package struct ReportTable: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case apple, development, simulated
    /// Nothing vouches for these; they are not of any key.
    case unverified
  }

  package struct Row: Sendable, Equatable {
    /// What its postbacks have of each dimension, in the order of the report's; empty for nothing.
    package let group: [String]
    package fileprivate(set) var counts = ReportCounts()
  }

  package let kind: Kind
  /// In the order of their groups, numbers by their value.
  package fileprivate(set) var rows: [Row] = []
  package fileprivate(set) var total = ReportCounts()
}

extension ReportTable {
  /// The indices of the dimensions that its rows differ in.
  package var differing: [Int] {
    guard let first = rows.first?.group else { return [] }
    return first.indices.filter { index in rows.contains { $0.group[index] != first[index] } }
  }

  /// What all rows have in common: `network com.example, app 525463029`; empty for nothing.
  package func common(_ dimensions: [ReportDimension]) -> String {
    guard let first = rows.first?.group else { return "" }
    let (differing, named) = (differing, zip(dimensions, first).enumerated())
    return named.filter { !differing.contains($0.offset) && !$0.element.1.isEmpty }
      .map { "\($0.element.0.heading) \($0.element.1)" }.joined(separator: ", ")
  }
}

extension PostbackReport {
  /// A table each kind of key that has postbacks.
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
  fileprivate init(_ key: ReceivedSignature.Key) {
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

  /// What decides the row.
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
  /// Numbers come by their value, before texts.
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
