import Testing

@testable import SKANCommand

@Suite("The manual page")
struct ManPageTests {
  @Test("Every command, option, variable and exit code")
  func complete() {
    let page = World().run("help --man").out
    for spec in CommandLineTool.commands {
      #expect(page.contains("\\fBskan \(Roff.text(spec.name))\\fR"), "\(spec.name)")
      for option in spec.options {
        #expect(page.contains("\\fB\(Roff.text(option.flag))\\fR"), "\(option.flag)")
        #expect(page.contains(Roff.text(option.help)), "\(spec.name) \(option.flag)")
      }
    }
    for code in ExitCode.allCases { #expect(page.contains(".TP\n\\fB\(code.rawValue)\\fR\n")) }
    for variable in VariableNames.more { #expect(page.contains(variable.name)) }
  }

  @Test(
    "Texts stand as they are",
    arguments: [
      (".so x", "\\&.so x"), ("'quoted'", "\\(aqquoted\\(aq"), ("a\\b", "a\\eb"),
      ("--lock-timeout", "\\-\\-lock\\-timeout"),
      ("FILE…", "FILE\\[u2026]"), ("a \"b\" ~ ^ `", "a \\(dqb\\(dq \\(ti \\(ha \\(ga"),
    ])
  func text(text: String, expected: String) { #expect(Roff.text(text) == expected) }

  @Test("One page about all commands", arguments: ["help --man session", "help --man --json"])
  func refused(line: String) { #expect(World().run(line).code == .usage) }

  @Test("mandoc has nothing to complain about", .enabled(if: Self.hasMandoc, "mandoc is not installed"))
  func lint() throws {
    let workspace = try Workspace()
    let run = try workspace.shell(
      "\"$SKAN\" help --man > skan.1 && mandoc -Tlint -Wwarning skan.1 && mandoc -Thtml skan.1")
    #expect(run.code == 0 && run.out.contains("EXIT_STATUS"), "\(run)")
  }

  private static let hasMandoc = (try? Workspace().shell("command -v mandoc"))?.code == 0
}
