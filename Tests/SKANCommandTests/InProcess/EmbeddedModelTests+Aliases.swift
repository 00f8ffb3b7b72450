import SKANCommand
import Testing

extension EmbeddedModelTests {
  /// A model as Google exports it.
  private static let google =
    #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":4,"conversion_value_mapping":"#
    + #"{"mapped_events":[{"mapped_event_name":"session_start"}]}}]}"#

  @Test("--event-alias: on the command line, from a file, from the environment; the first counts")
  func aliases() throws {
    let world = World.registered()
    world["google.json"] = Self.google
    world["aliases.txt"] = "# Google's\n\nsession_start=__SESSION__\nfirst_open=install\n"
    let session = "session --after 1m --model google.json -q --expect handler.fine="
    #expect(world.run("\(session)0").code == .ok)
    #expect(world.run("\(session)4 --event-aliases-file aliases.txt").code == .ok)
    #expect(world.run("reset -q").code == .ok)
    world.run("register -q")
    #expect(world.run("\(session)0 --event-aliases-file aliases.txt --event-alias session_start=other").code == .ok)
    #expect(world.run("\(session)4 --event-alias session_start=__SESSION__").code == .ok)
  }

  @Test(
    "--event-alias, used wrongly",
    arguments: [
      ("--event-alias sesion_start=x", "the model has no event \"sesion_start\"; did you mean \"session_start\"?"),
      ("--event-alias quite_other=x", "the model has no event \"quite_other\"; it has session_start"),
      (
        "--event-alias session_start",
        "--event-alias must be FROM=TO, such as session_start=__SESSION__, it is \"session_start\""
      ),
      ("--event-alias =x", "--event-alias must be FROM=TO, such as session_start=__SESSION__, it is \"=x\""),
      (
        "--event-alias session_start=a --event-alias session_start=b",
        "--event-alias is given twice for \"session_start\""
      ),
    ])
  func aliasUsage(options: String, words: String) throws {
    let world = World.registered()
    world["google.json"] = Self.google
    #expect(world.run("session --model google.json \(options)") == .usage(words, command: "session"))
  }

  @Test("An alias without a model")
  func aliasAlone() {
    #expect(
      World.registered().run("session --event-alias a=b")
        == .usage("--event-alias belongs to --model", command: "session"))
  }
}
