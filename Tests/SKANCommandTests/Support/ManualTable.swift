import Foundation

/// A Markdown table of an article, and where it stands.
struct ManualTable: CustomStringConvertible {
  /// As `skan` reads: `Lists`, or `README` for the README.
  let article: String
  /// The line of the column names, without bars: `Key | Value`.
  let head: String
  let rows: [[String]]

  var description: String { "\(article): \(head)" }

  /// What the rows name: the texts between backticks in a column, row by row.
  func codes(column: Int = 0) -> [String] { rows.flatMap { Manual.codes(in: $0.count > column ? $0[column] : "") } }

  /// All of the manual and the README, in their order.
  static func all() throws -> [ManualTable] {
    try Manual.paths.filter { !$0.hasPrefix("Sources/SKANDevice/") }.flatMap { path in
      let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
      return try tables(of: String(name), text: Manual.text(of: path))
    }
  }

  private static func tables(of article: String, text: String) -> [ManualTable] {
    var tables: [ManualTable] = []
    var lines: [String] = []
    var isFenced = false
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") { isFenced.toggle() }
      if !isFenced, line.hasPrefix("|") {
        lines.append(line)
      } else if !lines.isEmpty {
        tables.append(
          ManualTable(
            article: article, head: cells(lines[0]).joined(separator: " | "), rows: lines.dropFirst(2).map(cells)))
        lines = []
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
}
