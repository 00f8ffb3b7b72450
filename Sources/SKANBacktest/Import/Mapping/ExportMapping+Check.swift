import SKANJSON
import SKANText

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
          let near = nearestName(to: column.name, in: layout.columns)
          let hint =
            near.map { "; did you mean \(JSONWriter.quoted($0))?" } ?? "; there are \(Self.list(layout.columns))"
          problems.append("there is no column \(JSONWriter.quoted(column.name))\(hint)")
        }
        if layout.columns.count(where: { $0 == column.name }) > 1 {
          problems.append("the column \(JSONWriter.quoted(column.name)) is there twice: which one counts is not known")
        }
      }
      let needed = [("device", device), ("time", time), ("event's name", eventName)]
      for (what, columns) in needed where !columns.contains(where: { present.contains($0.name) || $0.isRequired }) {
        problems.append(
          "\(title) looks for the \(what) in \(Self.list(columns.map(\.name))), and there is none of them")
      }
    }
    if duplicateFields.contains(.transaction), transaction.isEmpty {
      problems.append(
        "\(title) names no column of transactions, which --dedupe tx needs: \"transaction\" in a mapping file")
    }
    return problems
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
