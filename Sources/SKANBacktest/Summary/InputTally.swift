import SKANBase
import SKANDevice

/// The counts of the input, which do not depend on the model. They are added up over parts.
package struct InputTally: Sendable, Equatable {
  /// Mapped rows of the devices in this part.
  package var rows = 0
  /// Devices, including those that are left out.
  package var devices = 0
  /// Devices whose beginning is not in the input.
  package var withoutBeginning = 0
  /// Duplicate rows, by the fields of `--dedupe`.
  package var duplicates = 0
  /// Installs of a device after its first one, which have no effect.
  package var furtherInstalls = 0
  /// Steps of lists that do not concern values.
  package var otherSteps = 0
  /// Those of the rows that have revenue.
  package var revenues = 0
  /// Rows of purchases in exports, by their names, and those of them without an amount.
  package var purchases = 0
  package var purchasesWithoutRevenue = 0
  /// Rows with revenue in a currency without a rate, by currency; they do not count as revenue.
  package var withoutRate: [String: Int] = [:]
  /// Unusable rows, by reason.
  package var rejected: [String: Int] = [:]
  /// Rows that the mapping leaves out, by reason.
  package var filtered: [String: Int] = [:]
  /// Rows of devices before their beginning, which do not count. The row of an install is not among them.
  package var beforeBeginning = 0
  /// Devices with a beginning that are too young to have ended a window, by window.
  package var young = PerWindow<Int>(repeating: 0)
  /// The first and the last time of a row.
  package var span: ClosedRange<Instant>?

  /// The message about missing revenue of the input: all of it, or that of most purchases; nil if nothing is missing.
  package var missingRevenue: String? {
    if revenues == 0, rows > 0 { return "no row of the input has revenue" }
    return PurchaseName.problem(purchasesWithoutRevenue, of: purchases)
  }

  package init() {}

  package static func += (left: inout InputTally, right: InputTally) {
    left.rows.add(right.rows)
    left.devices.add(right.devices)
    left.withoutBeginning.add(right.withoutBeginning)
    left.duplicates.add(right.duplicates)
    left.furtherInstalls.add(right.furtherInstalls)
    left.otherSteps.add(right.otherSteps)
    left.revenues.add(right.revenues)
    left.purchases.add(right.purchases)
    left.purchasesWithoutRevenue.add(right.purchasesWithoutRevenue)
    left.withoutRate.merge(right.withoutRate) { $0.adding($1) }
    left.rejected.merge(right.rejected) { $0.adding($1) }
    left.filtered.merge(right.filtered) { $0.adding($1) }
    left.beforeBeginning.add(right.beforeBeginning)
    for window in ConversionWindow.allCases { left.young[window].add(right.young[window]) }
    if let span = right.span { left.include(span) }
  }

  package mutating func include(_ moments: ClosedRange<Instant>) {
    guard let span else {
      span = moments
      return
    }
    self.span = min(span.lowerBound, moments.lowerBound)...max(span.upperBound, moments.upperBound)
  }
}

extension InputTally {
  /// The message for input in which every device is too young for all windows.
  ///
  /// - Parameter until: the end of what was observed.
  package func allYoung(_ until: Instant?) -> String {
    let end = until.map { "\($0)" } ?? "the last row"
    let isLast = until == span?.upperBound
    return "no device has ended its first window, of 2 days, by \(end)\(isLast ? ", the last row" : "")"
      + (isLast ? ": use --until if the input goes to a later time" : "")
  }

  /// A sentence on how many devices have ended each window; nil if all have.
  ///
  /// - Parameters:
  ///   - until: the end of what was observed.
  ///   - devices: the number of devices with a beginning.
  func windowLine(_ until: Instant?, of devices: Int) -> String? {
    guard let until, young[.p2] > 0 else { return nil }
    let counts = ConversionWindow.allCases.map { "\($0.name) \(devices.less(young[$0]))" }
    return "each window counts only the devices that have ended it by \(until)"
      + "\(until == span?.upperBound ? ", the last row" : ""): \(counts.listed())"
  }

  /// The unusable and left-out rows by reason. They are counted only in the first of several parts that read the same
  /// input.
  package init(_ tally: ImportTally, _ mapping: ExportMapping, in shard: Shard) {
    guard shard.index == 1 else { return }
    for reason in ImportRejection.allCases where tally.rejected[reason.rawValue] > 0 {
      rejected[reason.message] = tally.rejected[reason.rawValue]
    }
    for (reason, count) in tally.leftOut(by: mapping) { filtered[reason, default: 0] += count }
    purchases = tally.purchases
    purchasesWithoutRevenue = tally.purchasesWithoutRevenue
  }
}

/// The counts of the input in partial results and reports.
extension InputTally {
  private static let counts: [(name: String, path: any WritableKeyPath<InputTally, Int> & Sendable)] = [
    ("rows", \.rows), ("devices", \.devices), ("devices_without_beginning", \.withoutBeginning),
    ("duplicates", \.duplicates), ("rows_before_beginning", \.beforeBeginning),
    ("further_installs", \.furtherInstalls), ("other_steps", \.otherSteps), ("revenues", \.revenues),
    ("purchases", \.purchases), ("purchases_without_revenue", \.purchasesWithoutRevenue),
  ]
  private static let tables: [(name: String, path: any WritableKeyPath<InputTally, [String: Int]> & Sendable)] = [
    ("without_rate", \.withoutRate), ("rejected", \.rejected), ("filtered", \.filtered),
  ]

  /// The counts, and the tables of counts by reason.
  static let fields = JSONFields<InputTally> {
    counts.map { row in JSONField<InputTally>(row.name) { $0[keyPath: row.path] } }
    tables.map { row in JSONField<InputTally>(row.name) { $0[keyPath: row.path] } }
  }

  /// The counts in a partial result.
  static let partialFields = JSONFields<InputTally> {
    fields.rows
    JSONField("young") { tally in ConversionWindow.allCases.map { tally.young[$0] } }
    JSONField("span") { tally in tally.span.map { [$0.lowerBound.microseconds, $0.upperBound.microseconds] } }
  }

  /// Nil for any other JSON.
  init?(_ json: JSON) {
    for (name, path) in Self.counts {
      guard let number = json[name]?.count else { return nil }
      self[keyPath: path] = number
    }
    for (name, path) in Self.tables {
      guard let members = json[name]?.members else { return nil }
      for (key, value) in members {
        guard let count = value.count else { return nil }
        self[keyPath: path][key] = count
      }
    }
    guard let young = json["young"]?.items?.compactMap(\.count), young.count == 3, json["young"]?.items?.count == 3,
      let span = json["span"]
    else { return nil }
    self.young = PerWindow(young[0], young[1], young[2])
    if case .null = span { return }
    guard let ends = span.numbers, ends.count == 2, ends[0] <= ends[1] else { return nil }
    let first = Instant(microseconds: Int64(ends[0]))
    let last = Instant(microseconds: Int64(ends[1]))
    guard Instant.secondsRange.contains(first.wholeSeconds), Instant.secondsRange.contains(last.wholeSeconds) else {
      return nil
    }
    self.span = first...last
  }
}

extension JSON {
  /// The number, if it is one that a count of a partial result may be.
  var count: Int? { number.flatMap { CountedUnit.count.range.contains($0) ? $0 : nil } }
}

extension Int {
  /// Parses a number of days since 1970; nil outside the years 1 to 9999.
  init?(utcDay text: String) {
    guard let day = Int(text), Instant.secondsRange.contains(Int64(clamping: day.multipliedSaturating(by: 86_400)))
    else { return nil }
    self = day
  }
}
