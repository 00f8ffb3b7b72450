import SKANBase

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
