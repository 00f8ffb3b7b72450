import Foundation
import SKANDevice
import SKANRun
import SKANTraffic
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// Tables of the articles that are made of the code's tables, as the outputs of console blocks are made by the program:
/// `SKAN_UPDATE_EXPECTED=1 swift test --filter ManualTests` writes them again.
enum ManualTables {
  /// The rows by the table's name: the article, or the folder of its catalog and the article, and the column names. A cell
  /// that is nil is written by hand, and stays with the first cell of its row.
  static let generated: [String: [[String?]]] = {
    var tables: [String: [[String?]]] = [:]
    tables["Commands: Command | What it does | Options | More"] = CommandName.Group.allCases.flatMap { group in
      [["**\(group.rawValue)**", "", "", ""]]
        + group.commands.map(\.spec).map {
          [code($0.name + $0.argumentText), marked($0.summary), options(of: $0), nil]
        }
    }
    tables["Commands: Options of | Options"] = optionGroups.map { group in
      ["**\(group.title.rawValue)**", group.rows.map { code($0.flag) }.joined(separator: ", ")]
    }
    tables["Explanations: Outcome | Of | What happened"] = Outcome.allCases.map {
      [code($0.name), nil, $0.explanation.summary]
    }
    tables["Operations: Code | Level | Means | More"] = WarningCode.allCases.map {
      [code($0.name), $0.level.rawValue, $0.explanation.summary, articles($0.explanation, but: "Operations")]
    }
    tables["Postbacks: State | Meaning"] = Postback.State.allCases.map { [code($0.rawValue), $0.explanation.phone] }
    tables["PostbackFields: Field of SKAdNetwork | Must be | Versions | Signed | Only in | Apple's page"] =
      PostbackField.allCases.map { field in
        let row = field.row
        return [
          code(field.rawValue), formCell(row), row.versionText ?? "", row.signedText, row.limitText, row.source,
        ]
      }
    tables["PostbackFields: Member of AdAttributionKit | Must be | Signed | Only in | Apple's page"] =
      AdAttributionKitField.allCases.map { field in
        let row = field.row
        return [code(field.rawValue), formCell(row), row.signedText, row.limitText, row.source]
      }
    tables["Explanations: Kind | Its codes | Also taken"] = CodeKind.allCases.map { kind in
      let codes = CodeCatalog.all.filter { $0.kind == kind }.map(\.code)
      return [
        code(kind.rawValue), "\(codes.count), \(code(codes.first ?? "")) to \(code(codes.last ?? ""))", nil,
      ]
    }
    tables["Explanations: Code | Meaning"] = ExitCode.allCases.map { ["\($0.rawValue)", marked($0.meaning)] }
    tables["AppleFramework: Setting | Values | What it decides | Why it is open"] = FrameworkSetting.allCases.map {
      setting in
      [
        code(setting.name), setting.values.map(code).joined(separator: setting.hours == nil ? ", " : " to "),
        setting.meaning, setting.doubt,
      ]
    }
    tables["Checking: Capture | What it is"] = CaptureFormat.rows.map { [$0.name, marked($0.text)] }
    tables["CheckingTraffic: Basis | Meaning"] = TrafficRule.Basis.allCases.map { [code($0.rawValue), $0.meaning] }
    tables["CheckingTraffic: Rule | Level | Basis | What | Remedy | Source"] = TrafficRule.allCases.map {
      [code($0.id), $0.level.rawValue, $0.basis.rawValue, $0.text, $0.remedy, nil]
    }
    tables["Lists: Key | Value"] = ShownResult.fields.rows.flatMap { row in
      let item = if case .list = row.form.withoutNull { "\(row.name).0" } else { row.name }
      return [[code(row.name), row.text]] + row.keys.map { [code("\(item).\($0.name)"), $0.text] }
    }
    return tables
  }()

  private static func formCell(_ row: PostbackFieldRow) -> String {
    row.formText + (row.isOptional ? "; may be missing" : "")
  }

  /// The options that several commands have under one title: of each title those that most of its commands have.
  static let optionGroups: [(title: OptionTitle, rows: [OptionRow])] = OptionTitle.allCases.compactMap { title in
    let groups = CommandLineTool.commands.compactMap { $0.groups.first { $0.title == title }?.rows }
    let shared = groups.filter { rows in rows.count > 1 && groups.count { $0 == rows } > 1 }
    guard title != .own, title != .general else { return nil }
    return shared.max { left, right in groups.count { $0 == left } < groups.count { $0 == right } }.map { (title, $0) }
  }

  /// The options of a command, without those of every command; a group that it has as a whole is named.
  private static func options(of spec: CommandSpec) -> String {
    spec.groups.filter { $0.title != .general }.flatMap { group in
      let shared = optionGroups.first { $0.title == group.title && $0.rows.allSatisfy(group.rows.contains) }
      return (shared.map { ["**\($0.title.rawValue)**"] } ?? [])
        + group.rows.filter { !(shared?.rows.contains($0) ?? false) }.map { code($0.flag) }
    }.joined(separator: ", ")
  }

  /// The articles of the behaviour reference, for a table in one of them.
  private static func articles(_ explanation: CodeExplanation, but own: String) -> String {
    explanation.articles.filter { $0 != own }.map { "<doc:\($0)>" }.joined(separator: ", ")
  }

  static func code(_ name: String) -> String { "`\(name)`" }

  /// A text of the program, with the options in it as code.
  static func marked(_ text: String) -> String { text.replacing(/--[a-z][a-z-]*/) { "`\($0.output)`" } }

  /// An article with its generated tables as the code has them.
  ///
  /// Tables of one article with the same column names, one below each heading, are one table in parts: a row stays in its
  /// part, and a new one follows the row before it.
  static func text(_ text: String, of path: String) -> String {
    let article = ManualTable.article(path)
    var lines = text.components(separatedBy: "\n")
    for (name, rows) in generated where name.hasPrefix("\(article): ") {
      let parts = ManualTable.tables(of: article, text: lines.joined(separator: "\n")).filter { $0.description == name }
      var written: [[[String]]] = parts.map { _ in [] }
      var part = 0
      for row in rows {
        part = parts.firstIndex { $0.rows.contains { $0.first == row[0] } } ?? part
        guard parts.indices.contains(part) else { break }
        let old = parts[part].rows.first { $0.first == row[0] } ?? []
        written[part].append(row.enumerated().map { $1 ?? (old.indices.contains($0) ? old[$0] : "") })
      }
      for (part, rows) in zip(parts, written).reversed() {
        lines.replaceSubrange(part.rowLines, with: rows.map(ManualTable.line))
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension ManualTests {
  @Test("Tables that are made of the code", arguments: Manual.paths)
  func tables(path: String) throws {
    let text = try Manual.text(of: path)
    let isWritten = try ExpectedFiles.update { try Manual.rewrite(path) { ManualTables.text($0, of: path) } }
    if isWritten { return }
    let expected = ManualTables.text(text, of: path).components(separatedBy: "\n")
    let difference = expected.difference(from: text.components(separatedBy: "\n"))
    #expect(difference.isEmpty, "SKAN_UPDATE_EXPECTED=1 writes the tables again: \(difference)")
  }

  @Test("Each generated table is in an article, with all of its cells", arguments: ManualTables.generated.keys.sorted())
  func isThere(name: String) throws {
    let tables = try ManualTable.everywhere().filter { $0.description == name }
    let rows = tables.flatMap(\.rows)
    #expect(rows.map(\.first) == ManualTables.generated[name]?.map(\.first), "\(name)")
    for (row, generated) in zip(rows, ManualTables.generated[name] ?? []) {
      #expect(row.count == generated.count && zip(row, generated).allSatisfy { $0 == $1 || $1 == nil && !$0.isEmpty })
    }
  }

  @Test("A row that is missing comes behind the one before it, another one goes, and what is by hand stays")
  func rewritten() throws {
    let path = "Sources/SKANDevice/SKANDevice.docc/CheckingTraffic.md"
    let text = try Manual.text(of: path)
    let lines = text.components(separatedBy: "\n")
    let index = try #require(lines.firstIndex { $0.hasPrefix("| `install-repeated` |") })
    var changed = lines
    changed[index] = "| `no-such-rule` | error | guide | What. | Remedy. | by hand |"
    let written = ManualTables.text(changed.joined(separator: "\n"), of: path).components(separatedBy: "\n")
    #expect(written.count == lines.count)
    for (number, line) in lines.enumerated() {
      // A cell that is written by hand is empty in a new row.
      let cells = number == index ? Array(line.components(separatedBy: "|").dropLast(2)) + [" ", ""] : []
      #expect(written[number] == (number == index ? cells.joined(separator: "|") : line))
    }
  }
}
