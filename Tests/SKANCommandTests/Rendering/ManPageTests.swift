import Testing

@testable import SKANCommand

@Suite("The manual page")
struct ManPageTests {
  @Test("Every command with each of its options and its line of help, every variable and exit code")
  func complete() throws {
    let page = World().run("help --man").out
    let sections = page.components(separatedBy: "\n.SH COMMANDS\n")
    try #require(sections.count == 2)
    let commands = sections[1].components(separatedBy: "\n.SS ")
    #expect(commands.count == CommandLineTool.commands.count + 1)
    for (spec, text) in zip(CommandLineTool.commands, commands.dropFirst()) {
      #expect(text.hasPrefix("\\fBskan \(Roff.text(spec.name))\\fR"), "\(spec.name)")
      for option in spec.options {
        // Three that all take stand above.
        let place = [.color, .help, .version].contains(option) ? commands[0] : text
        let entry = "\\fB\(Roff.text(option.flag))\\fR\(option.placeholder.map { " \\fI\(Roff.text($0))\\fR" } ?? "")"
        #expect(
          place.replacing("\n", with: " ").contains("\(entry) \(Roff.text(option.help)). "),
          "\(spec.name) \(option.flag)")
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

  @Test("A paragraph has lines of 79 characters at most, of which none is a request")
  func paragraph() {
    let lines = Roff.paragraph(String(repeating: "word ", count: 15) + "end. .so is a file, and a-b-c 'too'")
    #expect(lines == [String(repeating: "word ", count: 15) + "end.", "\\&.so is a file, and a\\-b\\-c \\(aqtoo\\(aq"])
  }

  @Test("One page about all commands", arguments: ["help --man session", "help --man --json"])
  func refused(line: String) { #expect(World().run(line).code == .usage) }

  @Test("mandoc has nothing to complain about", .enabled(if: Self.hasMandoc, "mandoc is not installed"))
  func lint() throws {
    let workspace = try Workspace()
    let run = try workspace.shell(
      "\"$SKAN\" help --man > skan.1 && mandoc -Tlint -Wstyle skan.1 && mandoc -Thtml skan.1")
    #expect(run.code == 0 && run.out.contains("EXIT_STATUS"), "\(run)")
  }

  @Test(
    "No word is broken, so that an option is found and copied, at any width",
    .enabled(if: Self.hasMan, "man is not installed"),
    arguments: [50, 80, 133])
  func words(width: Int) throws {
    let workspace = try Workspace()
    let run = try workspace.shell(
      "\"$SKAN\" help --man > skan.1 && LC_ALL=C.UTF-8 MANWIDTH=\(width) man -P cat ./skan.1 | col -bx")
    let words = Set(run.out.split { $0.isWhitespace || ",;:()[]'\".".contains($0) }.map(String.init))
    let flags = CommandLineTool.commands.flatMap(\.options).map(\.flag)
    #expect(flags.allSatisfy(words.contains), "\(flags.filter { !words.contains($0) })")
    #expect(run.code == 0 && !run.out.contains("\u{2010}") && !run.out.contains("\u{2212}"))
  }

  private static let hasMan = (try? Workspace().shell("command -v man && command -v col"))?.code == 0
  private static let hasMandoc = (try? Workspace().shell("command -v mandoc"))?.code == 0
}
