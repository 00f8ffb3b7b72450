import Foundation

/// A Markdown table of an article, and where it stands.
struct ManualTable: CustomStringConvertible {
  /// As `skan` reads: `Lists`, or `README` for the README.
  let article: String
  /// The line of the column names, without bars: `Key | Value`.
  let head: String
  let rows: [[String]]
  /// Where the rows are among the lines of the article.
  let rowLines: Range<Int>

  /// The article and the column names, without what marks code.
  var description: String { "\(article): \(head.replacing("`", with: ""))" }

  /// What the rows name: the texts between backticks in a column, row by row.
  func codes(column: Int = 0) -> [String] { rows.flatMap { Manual.codes(in: $0.count > column ? $0[column] : "") } }

  /// All of the README and the manual, in their order.
  static func all() throws -> [ManualTable] {
    try tables(of: Manual.paths.filter { !$0.hasPrefix("Sources/SKANDevice/") })
  }

  /// Those of the behaviour reference, too.
  static func everywhere() throws -> [ManualTable] { try tables(of: Manual.paths) }

  private static func tables(of paths: [String]) throws -> [ManualTable] {
    try paths.flatMap { tables(of: article($0), text: try Manual.text(of: $0)) }
  }

  /// The name of an article in the name of its tables.
  static func article(_ path: String) -> String {
    String(path.split(separator: "/").last?.split(separator: ".").first ?? "")
  }

  static func tables(of article: String, text: String) -> [ManualTable] {
    var tables: [ManualTable] = []
    var first: Int?
    var isFenced = false
    let lines = text.components(separatedBy: "\n")
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") { isFenced.toggle() }
      if !isFenced, line.hasPrefix("|") {
        first = first ?? index
      } else if let start = first {
        let rows = start + 2..<index
        tables.append(
          ManualTable(
            article: article, head: cells(lines[start]).joined(separator: " | "), rows: lines[rows].map(cells),
            rowLines: rows))
        first = nil
      }
    }
    return tables
  }

  /// The cells of a row; a bar in one is written `\|`.
  private static func cells(_ line: String) -> [String] {
    line.dropFirst().dropLast().replacing("\\|", with: "\u{0}").components(separatedBy: "|").map {
      $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
    }
  }

  /// The line of a row.
  static func line(_ cells: [String]) -> String {
    cells.map { $0.isEmpty ? "| " : "| \($0.replacing("|", with: "\\|")) " }.joined() + "|"
  }
}
