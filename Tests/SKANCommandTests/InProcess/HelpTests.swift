import SKANCommand
import Testing

@Suite("Help and version")
struct HelpTests {
  static let commands = [
    "install", "register", "session", "event", "revenue", "details", "update", "relaunch", "reset", "replay",
    "help",
  ]

  @Test(arguments: commands)
  func help(command: String) {
    let world = World()
    let help = world.run("\(command) --help")
    #expect(help.out.hasPrefix("skan \(command): ") && help.out.hasSuffix(".\n"))
    #expect(help == Consequences(out: help.out))
    // Whatever else is wrong, and in all its forms.
    for line in ["\(command) -h", "help \(command)", "\(command) -q x y z --help", "\(command) --at 0 --after 0 -h"]
    where command != "replay" || !line.contains("--at") {
      #expect(world.run(line) == help, "\(line)")
    }
    #expect(world.run("--help").out.contains("\n  \(command) "))
    #expect(world.takeLog() == [])
  }

  @Test func overview() {
    let world = World()
    let help = world.run("--help")
    #expect(help == Consequences(out: help.out))
    #expect(world.run("-h") == help)
    #expect(world.run("help") == help)
    for code in ExitCode.allCases { #expect(help.out.contains("\n  \(code.rawValue) "), "\(code)") }
  }

  @Test func noLineIsTooWide() {
    for command in [""] + Self.commands {
      for line in World().run("\(command) --help").out.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
  }

  @Test func version() {
    #expect(World().run("--version") == Consequences(out: "skan \(CommandLineTool.version)\n"))
  }
}
