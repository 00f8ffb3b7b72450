import Foundation
import SKANBase
import SKANDevice
import SKANModel
import SKANReceive
import SKANRun
import SKANSystem
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("skan schema")
struct SchemaTests {
  @Test("Every key of a reader's table has a form, and nothing else has", arguments: SchemaObject.all.indices)
  func keys(index: Int) {
    let object = SchemaObject.all[index]
    #expect(Set(object.forms.keys) == Set(object.keys), "\(object.name)")
    #expect(Set(object.required).subtracting(object.keys) == [], "\(object.name)")
  }

  /// The fields of whole numbers in a form: the JSON before and after the number, and a number in its range.
  private static func wholeNumbers(in form: JSONForm) -> [(before: String, after: String, number: Int64)] {
    switch form {
    case .integer(let range):
      [(before: "", after: "", number: range.map { min(max(1, $0.lowerBound), $0.upperBound) } ?? 1)]
    case .object(let members, _, _):
      members.flatMap { member in
        wholeNumbers(in: member.form).map {
          (before: "{\"\(member.key)\":\($0.before)", after: "\($0.after)}", number: $0.number)
        }
      }
    case .list(let item):
      wholeNumbers(in: item).map { (before: "[\($0.before)", after: "\($0.after)]", number: $0.number) }
    case .anyOf(let forms): forms.flatMap { wholeNumbers(in: $0) }
    case .described(_, let form): wholeNumbers(in: form)
    default: []
    }
  }

  @Test("A whole number of a list may be written as 24.0, which its schema takes, in each field that has one")
  func wholeNumbers() throws {
    func problems(_ line: String) throws -> [String] {
      let reader = ListReader("list", ByteSource(Array(line.utf8)))
      var step = Step(.details)
      var messages: [String] = []
      while let item = try reader.next(into: &step) {
        if case .problems(let problems) = item { messages += problems.map(\.problem.message) }
      }
      return messages
    }
    var keys: Set<String> = []
    for object in StepSchema.objects where object.keys.contains("op") {
      for key in object.keys {
        for field in Self.wholeNumbers(in: object.forms[key] ?? .any) {
          keys.insert(key + field.before)
          func line(_ number: String) -> String {
            "{\"op\":\"\(object.name)\",\"\(key)\":\(field.before)\(number)\(field.after)}"
          }
          let plain = try problems(line("\(field.number)"))
          #expect(!plain.contains { $0.contains("whole number") }, "\(plain)")
          for other in ["\(field.number).0", "\(field.number)e0", "\(field.number)0e-1"] {
            #expect(try problems(line(other)) == plain, "\(line(other))")
          }
          // Where another field is missing, the reader may not come to this one.
          if plain.isEmpty { #expect(try !problems(line("\(field.number).5")).isEmpty, "\(line("\(field.number).5"))") }
        }
      }
    }
    #expect(keys.count > 8)
  }

  @Test("All tables of the readers are among them")
  func tables() {
    let tables: [[String]] =
      ListFormat.operations.map { $0.commonKeys + $0.keys } + ModelObject.all.map(\.keys) + [
        AnswerForm.keys.names, ForwardOptions.keys.names, AdAttribution.keys, FrameworkSetting.allCases.map(\.name),
        DeviceProfile.keys,
      ]
    let known = SchemaObject.all.map(\.keys)
    for table in tables { #expect(known.contains(table), "\(table)") }
  }

  @Test("Each is one closed document, the same each time", arguments: SchemaName.allCases)
  func document(name: SchemaName) throws {
    let printed = World().run("schema \(name.rawValue)")
    #expect(printed == Consequences(out: printed.out))
    #expect(World().run("schema \(name.rawValue.uppercased())") == printed)
    let json = try JSONReader.read(Array(printed.out.utf8)).value
    #expect(json["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
    #expect(json["$id"] == .string("urn:skan:schema:\(name.rawValue)") && json["title"] != nil)
    #expect(json == name.json && printed.out.hasSuffix("}\n"))
    #expect(printed.out.contains("\"additionalProperties\": false"))
  }

  @Test("A result's schema has every key of a result")
  func result() {
    guard case .array(let forms)? = SchemaName.result.json["anyOf"], case .object(let keys)? = forms[0]["properties"]
    else { return #expect(Bool(false)) }
    #expect(Set(keys.map(\.key)) == Set(StepResult.keys + ShownResult.keysOfPostbacks))
    // What is not always there is not required.
    guard case .array(let required)? = forms[0]["required"] else { return #expect(Bool(false)) }
    #expect(required.contains(.string("outcome")) && !required.contains(.string("file")))
  }

  @Test(
    "What is no schema",
    arguments: [
      ("stpe", "there is no schema \"stpe\"; did you mean step?"),
      ("zzzz", "there is no schema \"zzzz\"; 'skan schema' lists them all"),
    ])
  func unknown(name: String, message: String) {
    #expect(World().run("schema \(name)") == .usage(message, command: "schema"))
  }

  @Test("A model may name its schema, as a text")
  func ofModel() throws {
    let world = World()
    let model =
      #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":1,"conversion_value_mapping":"#
      + #"{"mapped_events":[{"mapped_event_name":"a"}]}}]"#
    world["m.json"] = "\(model),\"$schema\":\"model.schema.json\"}"
    #expect(world.run("model check m.json").code == .ok)
    world["m.json"] = "\(model),\"$schema\":5}"
    let check = world.run("model check m.json")
    #expect(check.code == .badData && check.err.contains("\"$schema\" must be a text"))
  }

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
    #expect(schemas == .array(["result", "delivery", "summary", "matrix", "replay-report", "step"].map(JSON.string)))
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
