/// A part of a report that people read: a table with a title, and what is to be said of it.
package struct ReportPart: Sendable, Equatable {
  package var title: String
  /// Sentences, below the title.
  package var notes: [String] = []
  package var columns: [Column] = []
  package var rows: [[String]] = []
  /// What the bars of a drawing stand for, a number a row; empty where nothing is drawn.
  package var bars: [Int] = []
  /// What the bars count.
  package var barName = "users"

  package struct Column: Sendable, Equatable {
    package var name: String
    package var isNumber: Bool

    package init(_ name: String, isNumber: Bool) {
      self.name = name
      self.isNumber = isNumber
    }
  }

  /// - Parameters:
  ///   - texts: the names of the first columns.
  ///   - numbers: those of the columns behind them.
  ///   - after: those of the last ones, texts again.
  package init(_ title: String, texts: [String] = [], numbers: [String] = [], after: [String] = []) {
    self.title = title
    columns =
      texts.map { Column($0, isNumber: false) } + numbers.map { Column($0, isNumber: true) }
      + after.map { Column($0, isNumber: false) }
  }
}
