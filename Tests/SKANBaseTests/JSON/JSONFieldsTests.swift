import Foundation
import Synchronization
import Testing

@testable import SKANBase

@Suite("Rows of a JSON object")
struct JSONFieldsTests {
  private struct Part: JSONObjectWritable {
    var number: Int64?
    var list: [String] = []

    static let fields = JSONFields<Part> {
      JSONField("z", "a number, or null") { $0.number }
      JSONField("a", "texts") { $0.list }
    }
  }

  private struct Whole: JSONObjectWritable {
    var part: Part?
    var share = 5.0

    static let fields = JSONFields<Whole> {
      JSONField("whole", "a part, or null") { $0.part }
      JSONField(optional: "rare", "a part, or nothing", object: Part.fields) { $0.part }
      Part.fields.rows.map { $0.optional { $0.part } }
      JSONField("b", as: .integer(0...9)) { _ in 7 }
      JSONField("share") { $0.share }
    }
  }

  private static let whole = Whole(part: Part(number: 3, list: ["x\n", "y"]))

  @Test(
    "Each layout has its order of keys and its numbers",
    arguments: [
      (
        JSONWriter.Layout.compact,
        #"{"a":["x\n","y"],"b":7,"rare":{"a":["x\n","y"],"z":3},"share":5,"whole":{"a":["x\n","y"],"z":3},"z":3}"#
      ),
      (
        .line,
        #"{"whole":{"z":3,"a":["x\n","y"]},"rare":{"z":3,"a":["x\n","y"]},"z":3,"a":["x\n","y"],"b":7,"share":5.0}"#
      ),
    ])
  func layouts(layout: JSONWriter.Layout, text: String) { #expect(JSONWriter.text(Self.whole, layout: layout) == text) }

  @Test(
    "It is written as the same value without rows", arguments: [JSONWriter.Layout.compact, .indented, .line, .file])
  func values(layout: JSONWriter.Layout) {
    for value in [Self.whole, Whole(), Whole(part: Part())] {
      #expect(JSONWriter.text(value, layout: layout) == JSONWriter.text(value.json, layout: layout))
    }
    #expect(Whole().json == .object([("whole", .null), ("b", .integer(7)), ("share", .double(5))]))
  }

  @Test("Some of its members")
  func some() {
    #expect(
      Whole.fields.json(Self.whole, keys: ["b", "rare", "none"])
        == .object([
          ("rare", .object([("z", .integer(3)), ("a", .array([.string("x\n"), .string("y")]))])), ("b", .integer(7)),
        ]))
    #expect(Whole.fields.json(Self.whole, keys: []) == .object([]))
  }

  @Test("The form names each key, and those that are always there")
  func form() {
    let part =
      #""type":"object","properties":{"z":{"description":"a number, or null","anyOf":[{"type":"integer"},{"type":"null"}]},"#
      + #""a":{"description":"texts","type":"array","items":{"type":"string"}}},"required":["z","a"],"additionalProperties":false}"#
    #expect(JSONWriter.text(Part.jsonForm.json, layout: .line) == "{\(part)")
    let text = JSONWriter.text(Whole.jsonForm.json, layout: .line)
    #expect(
      text.contains(
        #""whole":{"description":"a part, or null","anyOf":[{\#(part),{"type":"null"}]},"#
          + #""rare":{"description":"a part, or nothing",\#(part),"z":"#))
    #expect(text.contains(#""b":{"type":"integer","minimum":0,"maximum":9}"#))
    #expect(text.hasSuffix(#""required":["whole","b","share"],"additionalProperties":false}"#))
  }

  @Test("Keys that are known only now are sorted where the layout sorts them")
  func sorted() {
    var compact = JSONWriter()
    var line = JSONWriter(.line)
    let keys = ["b", "a", "é", "a_long_key_2", "a_long_key_1"]
    compact.object(count: keys.count, key: { keys[$0] }) { $1.append(Int64($0)) }
    line.object(count: keys.count, key: { keys[$0] }) { $1.append(Int64($0)) }
    #expect(String(decoding: compact.bytes, as: UTF8.self) == #"{"a":1,"a_long_key_1":4,"a_long_key_2":3,"b":0,"é":2}"#)
    #expect(String(decoding: line.bytes, as: UTF8.self) == #"{"b":0,"a":1,"é":2,"a_long_key_2":3,"a_long_key_1":4}"#)
  }
}
