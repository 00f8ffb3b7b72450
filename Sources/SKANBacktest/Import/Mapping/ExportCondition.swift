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
