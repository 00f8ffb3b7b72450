import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// What comes from outside and is not UTF-8, of which no other name may be made.
@Suite("Arguments and variables that are not UTF-8")
struct NotUTF8Tests {
  @Test("An argument that is not UTF-8 is shown escaped, and nothing is done")
  func argument() {
    let world = World()
    let arguments = ["register", "--state"].map { Array($0.utf8) } + [[0x73, 0x74, 0xFF]]
    #expect(CommandLineTool.status(of: arguments, in: world.environment) == ExitCode.usage.rawValue)
    #expect(
      world.errors
        == "skan: the argument st\\xFF is not UTF-8, as every argument must be\nTry 'skan --help'.\n")
    #expect(world.texts.isEmpty && world.output == "")
    let state = ["register", "-q", "--state", "stä"].map { Array($0.utf8) }
    #expect(CommandLineTool.status(of: state, in: world.environment) == 0 && world["stä"] != nil)
  }

  @Test("Neither is a variable's value, which is not shown")
  func variable() {
    let world = World { $0.variables = ["SKAN_STATE": "st\u{FFFD}"] }
    var environment = world.environment
    environment.isUTF8 = { $0 != "SKAN_STATE" }
    let words = "the value of SKAN_STATE is not UTF-8, as every variable must be"
    #expect(CommandLineTool.run(["register"], in: environment) == .usage)
    #expect(world.errors == "skan: \(words)\nTry 'skan --help'.\n" && world.texts.isEmpty)
    #expect(CommandLineTool.run(["doctor"], in: environment) == .expectationFailed)
    #expect(world.output.contains(words))
  }
}
