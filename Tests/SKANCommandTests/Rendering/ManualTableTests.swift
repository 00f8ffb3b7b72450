import Testing

@testable import SKANCommand

/// The tables of the manual and `skan help --json` say the same.
@Suite("The manual's tables")
struct ManualTableTests {
  private let manual: Manual
  private let table: HelpTableDocument

  init() throws {
    manual = try Manual()
    table = try HelpTableDocument.printed()
  }

  @Test("The options of a step, and those of replay, are all that are said of them")
  func options() throws {
    let ofSteps = Manual.options(in: try manual.part(from: "Every command that runs a step takes", to: "\n\n"))
    let names = ManualTables.stepOptions.map { String($0.flag.dropFirst(2)) }
    #expect(ofSteps == Set(names + ["color", "help", "version"]))
    let ofReplay = Manual.options(
      in: try (manual.table("| Option | What it does |") + manual.table("| Option of `replay` | What it writes |"))
        .map { $0[0] }.joined(separator: " "))
    let replay = try #require(table.commands.first { $0.name == "replay" })
    #expect(replay.optionNames.subtracting(ofReplay) == ["color", "help", "version"])
    #expect(ofReplay.subtracting(replay.optionNames) == [])
  }

  @Test("The members and types of the table itself")
  func tableForPrograms() throws {
    let text = try manual.part(from: "## The table for programs", to: "\n# ")
    for type in Set(table.commands.flatMap(\.options).map(\.type)) { #expect(text.contains("`\(type)`"), "\(type)") }
    for variable in table.variables { #expect(manual.text.contains("`\(variable.name)"), "\(variable.name)") }
  }
}
