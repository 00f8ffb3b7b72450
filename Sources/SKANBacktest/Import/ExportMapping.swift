import SKANBase
import SKANDevice

/// Maps rows of an export to ``ExportedRow``s: which columns contain which data, which rows count, and what they mean.
///
/// It comes from a preset or a mapping file, and options of the command line complete it.
package struct ExportMapping: Sendable, Equatable {
  /// The name for messages: "preset adjust", or the mapping file.
  package var title: String
  /// The columns of the device, of which the first nonempty one counts.
  package var device: [ExportColumn]
  package var time: [ExportColumn]
  /// Nil to recognize the unit by the number of digits.
  package var timeUnit: ExportTimeUnit?
  /// The columns of the event's name, of which the first nonempty one counts.
  package var eventName: [ExportColumn]
  /// The sources of revenue, of which the first with an amount counts.
  package var revenue: [ExportRevenue] = []
  package var adRevenue: ExportCondition?
  /// Matches rows of revenue without an event.
  package var revenueOnly: ExportCondition?
  package var session: ExportCondition?
  package var install: ExportCondition?
  /// The columns of the install time in each row.
  package var installed: [ExportColumn] = []
  package var installedUnit: ExportTimeUnit?
  package var filters: [ExportFilter] = []
  /// The columns that name a row's operating system. A row of another system than iOS is left out.
  package var systems: [ExportSystem] = []
  /// The app's event names by the export's.
  package var renames: [String: String] = [:]
  package var transaction: [ExportColumn] = []
  /// The time zone of times written without one.
  package var timeZone: ExportTimeZone?
  /// How the user gave the time zone, for messages: `--timezone`; nil for a preset's.
  package var zoneSource: String?
  /// The form of dates that are written in a form of a country or of a program.
  package var dateFormat: ExportDateFormat?
  package var duplicateFields: Set<DuplicateField> = []
  /// The column of ``ExportedRow/group``.
  package var group: ExportColumn?
  /// The currency of amounts without one.
  package var currency: CurrencyCode?

  package init(title: String, device: [ExportColumn], time: [ExportColumn], name: [ExportColumn]) {
    self.title = title
    self.device = device
    self.time = time
    eventName = name
  }

  /// The distinct columns that the mapping uses.
  package var columns: [ExportColumn] {
    var seen: Set<String> = []
    let revenues = revenue.flatMap { $0.amount + $0.currency + [$0.quantity].compactMap(\.self) }
    let conditions = [adRevenue, revenueOnly, session, install].compactMap { $0?.column }
    return
      (device + time + eventName + revenues + conditions + installed + filters.map(\.column) + systems.map(\.column)
      + transaction + [group].compactMap(\.self)).filter { seen.insert($0.name).inserted }
  }
}

/// A column of an export: a name in the header, or in JSON Lines a path such as
/// `event_params[key=value].value.int_value`.
package struct ExportColumn: Sendable, Hashable, ExpressibleByStringLiteral {
  package let name: String
  /// Whether an export without the column is refused. Columns of a preset may be missing, because exports may omit
  /// columns.
  package let isRequired: Bool

  package init(_ name: String, isRequired: Bool = true) {
    self.name = name
    self.isRequired = isRequired
  }

  /// A column of a preset.
  package init(stringLiteral name: String) { self.init(name, isRequired: false) }
}

/// Matches rows that have one of these values in a column.
package struct ExportCondition: Sendable, Equatable {
  /// Nil for the column of the event's name.
  package var column: ExportColumn?
  package var values: [String]

  package init(_ column: ExportColumn? = nil, _ values: [String]) {
    self.column = column
    self.values = values
  }
}

/// Selects rows with, or without, one of these values in a column, ignoring case.
package struct ExportFilter: Sendable, Equatable {
  package var column: ExportColumn
  package var values: [String]
  package var isNegated: Bool

  package init(_ column: ExportColumn, _ values: [String], isNegated: Bool = false) {
    self.column = column
    self.values = values
    self.isNegated = isNegated
  }

  /// Why a row does not pass: `{environment} is not production`.
  package var reason: String {
    let values = values.joined(separator: " or ")
    return isNegated ? "\(column.name) is \(values)" : "\(column.name) is not \(values)"
  }
}

/// A source of revenue in a row.
package struct ExportRevenue: Sendable, Equatable {
  /// The columns of the amount, of which the first nonempty one counts.
  package var amount: [ExportColumn]
  package var currency: [ExportColumn]
  /// The column of a whole number by which the amount is multiplied, if the amount is the price of one item. A row
  /// without it has one item.
  package var quantity: ExportColumn?
  /// The currency of all amounts, if no column contains it.
  package var code: CurrencyCode?
  package var unit = ExportMoneyUnit.units
  /// The keys of amount and currency, if the column contains a JSON object.
  package var keys: Keys?
  /// Whether an amount without a currency is not revenue.
  package var needsCurrency = false

  package struct Keys: Sendable, Equatable {
    package var amount: String
    package var currency: String

    package init(amount: String, currency: String) {
      self.amount = amount
      self.currency = currency
    }
  }

  package init(
    _ amount: [ExportColumn], currency: [ExportColumn] = [], times quantity: ExportColumn? = nil,
    code: CurrencyCode? = nil, unit: ExportMoneyUnit = .units, keys: Keys? = nil, needsCurrency: Bool = false
  ) {
    self.amount = amount
    self.currency = currency
    self.quantity = quantity
    self.code = code
    self.unit = unit
    self.keys = keys
    self.needsCurrency = needsCurrency
  }
}

/// The unit of amounts.
package enum ExportMoneyUnit: String, Sendable, CaseIterable {
  case units
  /// Hundredths, of which a row has a whole number: a fraction is rejected, because such an amount is probably in units.
  case cents
  /// Millionths.
  case micros

  /// The power of ten by which an amount is divided.
  var scale: Int {
    switch self {
    case .units: 0
    case .cents: 2
    case .micros: 6
    }
  }
}

/// The fields that `--dedupe` compares.
package enum DuplicateField: String, Sendable, CaseIterable {
  /// The transaction, or another value that is unique to each event.
  case transaction = "tx"
  case device, name, time
}

extension ExportMapping {
  /// Why an export's columns do not fit the mapping; empty when they do.
  package func problems(with layout: ExportLayout) -> [String] {
    // Each object of JSON Lines may have other members.
    let isTable = layout.format != .jsonLines
    var problems: [String] = []
    if isTable {
      for column in columns {
        if column.isRequired, !layout.has(column) {
          problems.append(Self.missing([column], in: layout.columns))
        }
        if layout.hasSeveral(column) {
          problems.append("the column \(JSONWriter.quoted(column.name)) is there twice: which one counts is not known")
        }
      }
      let needed = [("device", device), ("time", time), ("event's name", eventName)]
      for (what, columns) in needed where !columns.contains(where: { layout.has($0) || $0.isRequired }) {
        problems.append(
          "\(title) looks for the \(what) in \(Self.list(columns.map(\.name))), and the file has none of them")
      }
    }
    guard duplicateFields.contains(.transaction) else { return problems }
    if transaction.isEmpty {
      problems.append(
        "\(title) names no column of transactions, which --dedupe tx needs: \"transaction\" in a mapping file")
    } else if isTable, !transaction.contains(where: { layout.has($0) || $0.isRequired }) {
      problems.append("--dedupe tx: \(Self.missing(transaction, in: layout.columns))")
    }
    return problems
  }

  /// The problem that no row has a transaction, so that `--dedupe tx` has no effect; nil without that problem.
  ///
  /// A table without the column is refused earlier (``problems(with:)``); for JSON Lines, only all rows together reveal
  /// it. Without purchases there may be no transactions.
  ///
  /// - Parameters:
  ///   - tally: the tally of all rows.
  ///   - columns: the columns of all layouts.
  package func problemOfTransactions(_ tally: ImportTally, columns: [String]) -> String? {
    guard duplicateFields.contains(.transaction), tally.mappedRows > 0, tally.transactions == 0 else { return nil }
    if tally.withoutTransaction == 0, Self.hint(transaction, columns) == nil { return nil }
    return Self.noValue(in: transaction, of: columns).map { "--dedupe tx: \($0)" }
  }

  /// The problem that no row has a value in any of some columns; nil when one of the columns exists.
  package static func noValue(in wanted: [ExportColumn], of columns: [String]) -> String? {
    if wanted.contains(where: { column in columns.contains { $0.isColumn(column.name) } }) { return nil }
    return "no row has a value in the column \(choice(wanted))\(hint(wanted, columns) ?? "")"
  }

  private static func missing(_ wanted: [ExportColumn], in columns: [String]) -> String {
    "there is no column \(choice(wanted))\(hint(wanted, columns) ?? "; there are \(list(columns))")"
  }

  private static func choice(_ columns: [ExportColumn]) -> String {
    columns.map { JSONWriter.quoted($0.name) }.joined(separator: " or ")
  }

  /// A suggestion of an existing column for a missing one.
  private static func hint(_ wanted: [ExportColumn], _ columns: [String]) -> String? {
    wanted.lazy.compactMap { nearestName(to: $0.name, in: columns) }.first
      .map { "; did you mean \(JSONWriter.quoted($0))?" }
  }

  /// The first few names, for a message.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).map { JSONWriter.quoted(String($0.prefix(40))) }.joined(separator: ", ")
    return names.count > 12 ? "\(shown) and \(names.count - 12) more" : shown
  }
}

extension ExportMapping {
  /// A hash of everything that affects how rows are mapped, equal in every process. Parts of a backtest with different
  /// mappings do not belong together.
  package var stableHash: UInt64 {
    var plain = self
    // Sets and dictionaries have a random order in each process, and the title contains a path.
    (plain.title, plain.renames, plain.duplicateFields, plain.zoneSource) = ("", [:], [], nil)
    let renames = renames.sorted { $0.key.literallyPrecedes($1.key) }.map { "\($0.key)=\($0.value)" }
    let fields = duplicateFields.map(\.rawValue).sorted()
    return fnv1a("\(plain)\n\(renames)\n\(fields)")
  }
}
