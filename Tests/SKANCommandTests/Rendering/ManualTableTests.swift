import Testing

/// The tables of the manual and `skan help --json` say the same.
@Suite("The manual's tables")
struct ManualTableTests {
  private let manual: Manual
  private let table: HelpTableDocument

  init() throws {
    manual = try Manual()
    table = try HelpTableDocument.printed()
  }

  /// What the manual's table says of each command, by its name.
  private func rows() throws -> [String: String] {
    var rows: [String: String] = [:]
    for cells in try manual.table("| Command | What it does |") {
      for code in Manual.codes(in: cells[0]) {
        let words = code.split(separator: " ").prefix { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } }
        rows[words.joined(separator: " ")] = cells[1]
      }
    }
    return rows
  }

  @Test func commands() throws { #expect(try Set(rows().keys) == Set(table.commands.map(\.name))) }

  @Test("A row names options of its command only")
  func known() throws {
    let rows = try rows()
    for command in table.commands {
      let unknown = Manual.options(in: try #require(rows[command.name])).subtracting(command.optionNames)
      #expect(unknown == [], "\(command.name)")
    }
  }

  @Test("Every option of a command is in its row, or in a table or sentence that is about it")
  func complete() throws {
    let rows = try rows()
    let ofSteps = Manual.options(in: try manual.part(from: "Every command that runs a step takes", to: "\n\n"))
    let ofReplay = Manual.options(
      in: try (manual.table("| Option | What it does |") + manual.table("| Option of `replay` | What it writes |"))
        .map { $0[0] }.joined(separator: " "))
    for command in table.commands {
      var named = Manual.options(in: try #require(rows[command.name])).union(["color", "help", "version"])
      if command.name == "register" { named.formUnion(Manual.options(in: try #require(rows["install"]))) }
      if command.optionNames.contains("after") { named.formUnion(ofSteps) }
      if command.name == "replay" {
        #expect(ofReplay.subtracting(command.optionNames) == [])
        named.formUnion(ofReplay)
      }
      #expect(command.optionNames.subtracting(named) == [], "\(command.name)")
    }
    #expect(ofSteps.isSuperset(of: ["color", "help", "version"]))
  }

  @Test("The members and types of the table itself")
  func tableForPrograms() throws {
    let text = try manual.part(from: "## The table for programs", to: "\n# ")
    for type in Set(table.commands.flatMap(\.options).map(\.type)) { #expect(text.contains("`\(type)`"), "\(type)") }
    for variable in table.variables { #expect(manual.text.contains("`\(variable.name)"), "\(variable.name)") }
  }
}
