import Foundation
import SKANBase
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand

/// The README, the manual beside the executable, and the behaviour reference, as tests read them.
struct Manual {
  /// Paths below the checkout: the README first, then the articles of both catalogs.
  static let paths: [String] = {
    let catalogs = ["Sources/skan/skan.docc", "Sources/SKANDevice/SKANDevice.docc"].flatMap { catalog in
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: Checkout.root.appending(path: catalog).path)) ?? []
      return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }
    }
    return ["README.md"] + catalogs
  }()

  static func text(of path: String) throws -> String {
    try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
  }

  /// Writes a file again; one test at a time, as blocks and tables of an article are written by two.
  static func rewrite(_ path: String, _ change: (String) -> String) throws {
    try rewriting.withLock { _ in
      try Data(change(text(of: path)).utf8).write(to: Checkout.root.appending(path: path))
    }
  }

  private static let rewriting = Mutex(())

  /// Of an article of the manual.
  static func article(_ name: String) throws -> String { try text(of: "Sources/skan/skan.docc/\(name).md") }

  /// The README and the manual, one after the other.
  let text: String

  init() throws {
    text = try Self.paths.filter { !$0.hasPrefix("Sources/SKANDevice/") }.map(Self.text).joined(separator: "\n\n")
  }

  /// What is between two texts, the first included.
  func part(from start: String, to end: String) throws -> String {
    let first = try #require(text.range(of: start), "\(start)")
    let last = try #require(text[first.upperBound...].range(of: end), "\(end)")
    return String(text[first.lowerBound..<last.lowerBound])
  }

  /// The cells of the table with this head, row by row.
  func table(_ head: String) throws -> [[String]] {
    try part(from: "\n\(head)\n", to: "\n\n").split(separator: "\n").dropFirst(2).map { line in
      line.replacing("\\|", with: "\u{0}").split(separator: "|").map {
        $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
      }
    }
  }

  /// The texts between backticks.
  static func codes(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  /// The names of the options that a text mentions.
  static func options(in text: String) -> Set<String> {
    Set(text.matches(of: /(?:^|[^\w-])--([a-z][a-z-]*)/).map { String($0.output.1) })
  }
}

/// The fenced blocks of an article, line by line.
struct ManualBlocks {
  struct Command: Equatable {
    var line: String
    var output = ""
  }

  /// A line of the article; of a command its output, too.
  private enum Part {
    case text(String)
    case command(Command)
  }

  private var parts: [Part] = []
  /// The lines of blocks for a shell to which nothing is compared.
  private(set) var shellLines: [String] = []
  /// The first line of each of them.
  private(set) var shellStarts: [String] = []

  init(_ text: String) {
    var language: String?
    var isFirst = false
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        language = language == nil ? String(line.dropFirst(3)) : nil
        isFirst = true
        parts.append(.text(line))
      } else if language == "console", line.hasPrefix("$ ") {
        parts.append(.command(Command(line: String(line.dropFirst(2)))))
      } else if language == "console", case .command(var command)? = parts.last {
        command.output += line + "\n"
        parts[parts.count - 1] = .command(command)
      } else {
        if language == "sh" { shellLines.append(line) }
        if language == "sh", isFirst { shellStarts.append(line) }
        isFirst = false
        parts.append(.text(line))
      }
    }
  }

  /// The commands of the console blocks, in their order.
  var commands: [Command] {
    parts.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  /// The article with other outputs of its commands.
  func text(with outputs: [String]) -> String {
    var outputs = outputs[...]
    return parts.map { part in
      switch part {
      case .text(let line): line + "\n"
      case .command(let command): "$ \(command.line)\n" + (outputs.popFirst() ?? command.output)
      }
    }.joined().dropLast().description
  }
}

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

/// The modules by layer, as `Package.swift` has them; the lowest layer is 1.
enum PackageLayers {
  static let all: [(layer: Int, module: String)] = {
    let text = (try? String(contentsOf: Checkout.root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
    guard let start = text.firstRange(of: "let layers: [[String]] = [\n") else { return [] }
    let end = text[start.upperBound...].firstRange(of: "\n]\n")?.lowerBound ?? text.endIndex
    return text[start.upperBound..<end].split(separator: "\n").enumerated().flatMap { index, line in
      line.matches(of: /"(\w+)"/).map { (index + 1, String($0.output.1)) }
    }
  }()
}

extension JSONForm {
  /// Those of an object.
  static func keys(of json: JSON) -> [String] {
    if case .object(let members) = json { members.map(\.key) } else { [] }
  }

  /// The keys that a schema knows, at any depth.
  static func allKeys(in schema: JSON) -> Set<String> {
    switch schema {
    case .object(let members):
      members.reduce(into: []) { keys, member in
        if member.key == "properties" { keys.formUnion(Self.keys(of: member.value)) }
        keys.formUnion(allKeys(in: member.value))
      }
    case .array(let items): items.reduce(into: []) { $0.formUnion(allKeys(in: $1)) }
    default: []
    }
  }
}

extension JSON {
  /// Those of an array.
  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}

extension Int {
  /// With a comma between thousands.
  var grouped: String {
    let digits = Array("\(self)")
    return digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index) % 3 == 0 ? ",\(digit)" : "\(digit)"
    }.joined()
  }
}
