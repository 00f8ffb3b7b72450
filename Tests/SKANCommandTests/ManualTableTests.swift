import Foundation
import SKANDevice
import SKANHTTP
import SKANReceive
import SKANSigning
import SKANSystem
import TestSupport
import Testing

@testable import SKANBase
@testable import SKANCommand
@testable import SKANCommandLine
@testable import SKANRun
@testable import SKANServe

/// The tables of the manual and `skan help --json` say the same.
@Suite("The manual's tables")
struct ManualTableTests {
  private let manual: Manual
  private let table: HelpTableDocument

  init() throws {
    manual = try Manual()
    table = try HelpTableDocument.printed()
  }

  @Test("The tables of replay have all of its options")
  func options() throws {
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
