import Foundation
import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("skan without a command")
struct StartScreenTests {
  @Test("What it is, five commands, where help is, and the exit code")
  func screen() {
    let result = World().run("")
    #expect(result == Consequences(.usage, err: StartScreen.lines.map { "\($0.text)\n" }.joined()))
    #expect(StartScreen.commands.count == 5)
    for text in ["'skan --help'", "'skan COMMAND --help'", "exit code is 64"] {
      #expect(result.err.contains(text), "\(text)")
    }
    #expect(result.err.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("The commands that end by themselves run as written, one after the other")
  func run() {
    let world = World()
    for (line, _) in StartScreen.commands where !line.hasPrefix("skan serve ") {
      let result = world.run(String(line.dropFirst("skan ".count)))
      #expect(result.code == .ok, "\(line): \(result)")
    }
  }

  @Test("serve is written as the command takes it")
  func serve() throws {
    let line = try #require(StartScreen.commands.map(\.line).first { $0.hasPrefix("skan serve ") })
    let (spec, rest) = try CommandTable.skan.command(line.split(separator: " ").dropFirst().map(String.init)[...])
    let parsed = try ParsedArguments(Array(rest), for: spec, of: .skan) { _ in nil }
    #expect(parsed.positional == [])
  }
}
