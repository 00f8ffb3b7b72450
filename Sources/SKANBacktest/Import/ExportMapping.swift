import SKANBase
import SKANDevice

/// How the rows of an export become ``ExportedRow``s: which columns hold what, which rows count, and which rows are what.
///
/// A preset is one, and a mapping file is read as one; options of the command line complete it.
package struct ExportMapping: Sendable, Equatable {
  /// For messages: "preset adjust", or the mapping file.
  package var title: String
  /// The first of these that is not empty is the device.
  package var device: [ExportColumn]
  package var time: [ExportColumn]
  /// Nil: by the number of digits.
  package var timeUnit: ExportTimeUnit?
  /// The first of these that is not empty is the event's name.
  package var eventName: [ExportColumn]
  /// The first of these that has an amount is the revenue.
  package var revenue: [ExportRevenue] = []
  package var adRevenue: ExportCondition?
  /// Rows of revenue without an event of its own.
  package var revenueOnly: ExportCondition?
  package var session: ExportCondition?
  package var install: ExportCondition?
  /// The time of the install, in each row.
  package var installed: [ExportColumn] = []
  package var installedUnit: ExportTimeUnit?
  package var filters: [ExportFilter] = []
  /// The app's names of events, by those of the export.
  package var renames: [String: String] = [:]
  package var transaction: [ExportColumn] = []
  /// Of times that are written without a zone.
  package var timeZone: ExportTimeZone?
  package var duplicateFields: Set<DuplicateField> = []
  /// The column of ``ExportedRow/group``.
  package var group: ExportColumn?
  /// Of amounts whose row says no currency.
  package var currency: CurrencyCode?

  package init(title: String, device: [ExportColumn], time: [ExportColumn], name: [ExportColumn]) {
    self.title = title
    self.device = device
    self.time = time
    eventName = name
  }

  /// Every column that it names, each once.
  package var columns: [ExportColumn] {
    var seen: Set<String> = []
    let revenues = revenue.flatMap { $0.amount + $0.currency }
    let conditions = [adRevenue, revenueOnly, session, install].compactMap { $0?.column }
    return
      (device + time + eventName + revenues + conditions + installed + filters.map(\.column) + transaction
      + [group].compactMap(\.self)).filter { seen.insert($0.name).inserted }
  }
}

/// A column of an export: a name of the header, or in JSON Lines a path such as `event_params[key=value].value.int_value`.
package struct ExportColumn: Sendable, Hashable, ExpressibleByStringLiteral {
  package let name: String
  /// Whether an export without it is refused. The columns of a preset may be missing, as an export need not have them all.
  package let isRequired: Bool

  package init(_ name: String, isRequired: Bool = true) {
    self.name = name
    self.isRequired = isRequired
  }

  /// A column of a preset.
  package init(stringLiteral name: String) { self.init(name, isRequired: false) }
}

/// Which rows are of a kind: those with one of these values in a column.
package struct ExportCondition: Sendable, Equatable {
  /// Nil for the name of the event, from whichever column it is.
  package var column: ExportColumn?
  package var values: [String]

  package init(_ column: ExportColumn? = nil, _ values: [String]) {
    self.column = column
    self.values = values
  }
}

/// Which rows count at all: those with, or without, one of these values in a column. Upper and lower case are the same.
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

/// Where a row has its revenue.
package struct ExportRevenue: Sendable, Equatable {
  /// The first of these that is not empty is the amount.
  package var amount: [ExportColumn]
  package var currency: [ExportColumn]
  /// Of all amounts, where no column says it.
  package var code: CurrencyCode?
  /// Amounts are millionths.
  package var isMicros = false
  /// Keys of amount and currency, where the column holds a JSON object.
  package var keys: Keys?
  /// An amount without a currency is something else than revenue.
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
    _ amount: [ExportColumn], currency: [ExportColumn] = [], code: CurrencyCode? = nil, isMicros: Bool = false,
    keys: Keys? = nil, needsCurrency: Bool = false
  ) {
    self.amount = amount
    self.currency = currency
    self.code = code
    self.isMicros = isMicros
    self.keys = keys
    self.needsCurrency = needsCurrency
  }
}

/// The fields that `--dedupe` compares.
package enum DuplicateField: String, Sendable, CaseIterable {
  /// The transaction, or whatever the export gives every event as its own.
  case transaction = "tx"
  case device, name, time
}

extension ExportMapping {
  /// Why the columns of an export do not go with the mapping; none when they do.
  package func problems(with layout: ExportLayout) -> [String] {
    // What an object of JSON Lines has, the next one need not have.
    let isTable = layout.format != .jsonLines
    let present = Set(layout.columns)
    var problems: [String] = []
    if isTable {
      for column in columns {
        if column.isRequired, !present.contains(column.name) {
          problems.append(Self.missing([column], in: layout.columns))
        }
        if layout.columns.count(where: { $0 == column.name }) > 1 {
          problems.append("the column \(JSONWriter.quoted(column.name)) is there twice: which one counts is not known")
        }
      }
      let needed = [("device", device), ("time", time), ("event's name", eventName)]
      for (what, columns) in needed where !columns.contains(where: { present.contains($0.name) || $0.isRequired }) {
        problems.append(
          "\(title) looks for the \(what) in \(Self.list(columns.map(\.name))), and the file has none of them")
      }
    }
    guard duplicateFields.contains(.transaction) else { return problems }
    if transaction.isEmpty {
      problems.append(
        "\(title) names no column of transactions, which --dedupe tx needs: \"transaction\" in a mapping file")
    } else if isTable, !transaction.contains(where: { present.contains($0.name) || $0.isRequired }) {
      problems.append("--dedupe tx: \(Self.missing(transaction, in: layout.columns))")
    }
    return problems
  }

  /// Why no row of exports is found to be there twice by its transaction; nil where rows are not compared by it.
  ///
  /// A table without the column is refused before (``problems(with:)``); of JSON Lines only all rows show it. Where nobody
  /// bought anything, there need be no transaction.
  ///
  /// - Parameters:
  ///   - tally: of all rows.
  ///   - columns: those of all layouts.
  package func problemOfTransactions(_ tally: ImportTally, columns: [String]) -> String? {
    guard duplicateFields.contains(.transaction), tally.mappedRows > 0, tally.transactions == 0 else { return nil }
    if tally.withoutTransaction == 0, Self.hint(transaction, columns) == nil { return nil }
    return Self.noValue(in: transaction, of: columns).map { "--dedupe tx: \($0)" }
  }

  /// Why columns in which no row of an export has a value are not meant; nil when one of them is there.
  package static func noValue(in wanted: [ExportColumn], of columns: [String]) -> String? {
    if wanted.contains(where: { columns.contains($0.name) }) { return nil }
    return "no row has a value in the column \(choice(wanted))\(hint(wanted, columns) ?? "")"
  }

  private static func missing(_ wanted: [ExportColumn], in columns: [String]) -> String {
    "there is no column \(choice(wanted))\(hint(wanted, columns) ?? "; there are \(list(columns))")"
  }

  private static func choice(_ columns: [ExportColumn]) -> String {
    columns.map { JSONWriter.quoted($0.name) }.joined(separator: " or ")
  }

  /// Which column may be meant by one that is not there.
  private static func hint(_ wanted: [ExportColumn], _ columns: [String]) -> String? {
    wanted.lazy.compactMap { nearestName(to: $0.name, in: columns) }.first
      .map { "; did you mean \(JSONWriter.quoted($0))?" }
  }

  /// The first of some names, for a message.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).map { JSONWriter.quoted(String($0.prefix(40))) }.joined(separator: ", ")
    return names.count > 12 ? "\(shown) and \(names.count - 12) more" : shown
  }
}

extension ExportLayout {
  /// Why no preset is guessed.
  package var unknownColumns: String {
    "no preset has these columns: \(ExportMapping.list(columns)); name one with --preset, or say what they are with "
      + "--mapping"
  }
}

extension ExportMapping {
  /// A hash of everything that decides what a row becomes, the same in every process: parts of a backtest whose mappings
  /// differ do not belong together.
  package var stableHash: UInt64 {
    var plain = self
    // Sets and dictionaries have another order in each process, and a title names a path.
    (plain.title, plain.renames, plain.duplicateFields) = ("", [:], [])
    let renames = renames.sorted { $0.key.literallyPrecedes($1.key) }.map { "\($0.key)=\($0.value)" }
    let fields = duplicateFields.map(\.rawValue).sorted()
    return fnv1a("\(plain)\n\(renames)\n\(fields)")
  }
}
