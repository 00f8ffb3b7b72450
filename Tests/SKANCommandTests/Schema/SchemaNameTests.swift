import SKANBase
import Testing

@testable import SKANCommand

@Suite("The schemas of commands")
struct SchemaNameTests {
  /// scripts/schemas holds what they print against them.
  @Test("A command that prints JSON names its schemas, and no other does", arguments: CommandLineTool.commands.indices)
  func commands(index: Int) {
    let command = CommandLineTool.commands[index]
    let names = SchemaName.names(of: command)
    // These write files of JSON, and print none.
    let writers = ["serve", "init", "model convert"]
    let prints = command.options.contains { $0.name == OptionRow.json.name }
    #expect(names.isEmpty == !(prints || writers.contains(command.name)), "\(command.name)")
    #expect(Set(names).count == names.count)
  }

  @Test("Each schema is that of a command's output, or of a file that is read", arguments: SchemaName.allCases)
  func names(name: SchemaName) {
    let isRead: Set<SchemaName> = [.step, .model, .device, .project, .received]
    let commands = CommandLineTool.commands.filter { SchemaName.names(of: $0).contains(name) }
    #expect(!commands.isEmpty || isRead.contains(name))
    // The title says whose it is.
    for command in ["history", "replay", "check", "verify", "report"] where name.title.contains("'skan \(command) ") {
      #expect(commands.contains { $0.name == command }, "\(name.title)")
    }
  }

  @Test("skan help --json has them, those of --json first")
  func help() throws {
    let printed = World().run("help --json replay").out
    let schemas = try JSONReader.read(Array(printed.utf8)).value["schemas"]
    #expect(schemas == .array(["result", "delivery", "summary", "replay-report", "step"].map(JSON.string)))
  }

  @Test("Without a name all are listed")
  func list() {
    let printed = World().run("schema")
    #expect(printed == Consequences(out: printed.out))
    let names = printed.out.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names == SchemaName.allCases.map(\.rawValue))
  }

  @Test("A schema of an output refuses nothing that is always there, and requires nothing that is not")
  func optional() throws {
    let json = try JSONReader.read(Array(World().run("schema verify").out.utf8)).value
    guard case .array(let required)? = json["required"] else { return #expect(Bool(false)) }
    #expect(required.contains(.string("repeats_line")) && !required.contains(.string("signed_string")))
  }

  @Test(
    "The name of a command",
    arguments: [
      ("session", "there is no schema \"session\"; those of 'skan session' are result, request"),
      ("Why", "there is no schema \"Why\"; that of 'skan why' is history"),
      ("timeline", "there is no schema \"timeline\": 'skan timeline' has no --json"),
    ])
  func ofCommand(name: String, message: String) {
    #expect(World().run("schema \(name)") == .usage(message, command: "schema"))
  }

  @Test("Of two words, too; several schemas are not one")
  func ofTwoWords() {
    #expect(World().run("schema Model fit") == World().run("schema model-fit"))
    let message = "one schema at a time: 'skan schema step', 'skan schema result'"
    #expect(World().run("schema step result") == .usage(message, command: "schema"))
    let two = "there is no schema \"s2s session\"; those of 'skan s2s session' are result, request"
    #expect(World().run("schema s2s session") == .usage(two, command: "schema"))
  }
}
