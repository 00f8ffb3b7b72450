import Foundation
import SKANDevice
import SKANBase
import SKANModel
import SKANReceive
import SKANRun
import SKANSystem
import Testing

@testable import SKANCommand

@Suite("skan schema")
struct SchemaTests {
  @Test("Every key of a reader's table has a form, and nothing else has", arguments: SchemaObject.all.indices)
  func keys(index: Int) {
    let object = SchemaObject.all[index]
    #expect(Set(object.forms.keys) == Set(object.keys), "\(object.name)")
    #expect(Set(object.required).subtracting(object.keys) == [], "\(object.name)")
  }

  @Test("All tables of the readers are among them")
  func tables() {
    let tables: [[String]] =
      ListFormat.operations.map { $0.commonKeys + $0.keys } + ModelObject.all.map(\.keys) + [
        AnswerForm.keys.names, ForwardOptions.keys.names, AdAttribution.keys, FrameworkSetting.all.map(\.name),
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
}
