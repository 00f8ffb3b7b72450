import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Dashes and quotes of text programs in arguments")
struct TypographicArgumentTests {
  @Test(
    "They are named, and what to write is said",
    arguments: [
      ("session —expect outcome=updated", "\"—expect\" begins with a typographic dash: write --expect", "session"),
      (
        "session –expect=outcome=updated",
        "\"–expect=outcome=updated\" begins with a typographic dash: write --expect=outcome=updated", "session"
      ),
      ("session ––json", "\"––json\" begins with a typographic dash: write --json", "session"),
      ("session –q", "\"–q\" begins with a typographic dash: write -q", "session"),
      ("revenue −5 USD", "\"−5\" begins with a typographic dash: write -5", "revenue"),
      (
        "session --expect “outcome=updated”",
        "\"“outcome=updated”\" begins with a typographic quote, which the shell takes for a letter: write ' or \"",
        "session"
      ),
      (
        "event ‘x’", "\"‘x’\" begins with a typographic quote, which the shell takes for a letter: write ' or \"",
        "event"
      ),
      (
        "session --expect=“x=1”",
        "\"“x=1”\" begins with a typographic quote, which the shell takes for a letter: write ' or \"", "session"
      ),
    ])
  func named(line: String, words: String, command: String) {
    #expect(World().run(line) == .usage(words, command: command))
  }

  @Test("Every command and every option, with either dash")
  func options() {
    for spec in CommandLineTool.commands {
      for option in spec.options {
        for dash in ["—", "–", "––", "−−"] {
          let run = World().run("\(spec.name) \(dash)\(option.name)")
          let plain = option.name.count == 1 ? "-" : "--"
          #expect(
            run
              == .usage(
                "\"\(dash)\(option.name)\" begins with a typographic dash: write \(plain)\(option.name)",
                command: spec.name))
        }
      }
    }
  }

  @Test("A name behind -- is taken as it stands, and so is a dash alone")
  func names() {
    let world = World.registered()
    for name in ["“x”", "—x"] { #expect(world.run("event --answer {\"error\":\"x\"} --", name).code != .usage) }
    #expect(world.run("event --answer {\"error\":\"x\"}", "—").code != .usage)
  }
}
