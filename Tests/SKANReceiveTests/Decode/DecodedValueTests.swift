import SKANBase
import SKANDevice
import SKANModel
import SKANReceive
import Testing

@Suite("A decoded value in the received file")
struct DecodedValueTests {
  private static let whole = DecodedValue(
    model: "mixed.json", window: .p0, value: .fine(12),
    meaning: DecodedValue.Meaning(
      text: "purchase at least once", minHours: 1, maxHours: 24,
      events: [DecodedEvent(MappedEvent(name: "purchase", revenue: RevenueCondition(min: 1, max: 5)))],
      revenue: RevenueRange(currency: "USD", min: 1, below: nil)))

  private static let text =
    #"{"model":"mixed.json","window":0,"value":"fine 12","meaning":"purchase at least once","min_hours":1,"#
    + #""max_hours":24,"events":[{"event":"purchase","currency":"USD","revenue_min":1.0,"revenue_below":5.0,"#
    + #""count_min":1,"count_max":null}],"revenue":{"currency":"USD","min":1.0,"below":null},"undecoded":null}"#

  private static func line(_ value: DecodedValue) -> String {
    var bytes: [UInt8] = []
    JSONWriter.write(value.json, layout: .line, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Its members in the order of the file")
  func form() {
    #expect(Self.line(Self.whole) == Self.text)
    #expect(
      Self.line(DecodedValue(model: "m", window: .p2))
        == #"{"model":"m","window":2,"value":null,"meaning":null,"min_hours":null,"max_hours":null,"events":[],"#
        + #""revenue":null,"undecoded":null}"#)
  }

  @Test(
    "It reads back as it was",
    arguments: [
      whole, DecodedValue(model: "m", window: .p2),
      DecodedValue(model: "m", window: .p1, value: .coarse(.high), undecoded: "it is not in it"),
      DecodedValue(model: "m", window: .p0, undecoded: "it is not a number"),
    ])
  func roundTrip(value: DecodedValue) throws {
    var record = Samples.record("{}")
    record.decoded = value
    #expect(try ReceivedRecord(record.line.dropLast()) == record)
  }

  @Test(
    "What is wrong with one",
    arguments: [
      (#""window":0"#, #""window":3"#, #""window" must be a whole number from 0 to 2"#),
      ("fine 12", "fine twelve", #""value" must be a value such as "fine 12" or "coarse high""#),
      ("fine 12", "coarse huge", #""value" must be a value such as"#),
      ("fine 12", "12", #""value" must be a value such as"#),
      (#""count_min""#, #""count_mni""#, #"did you mean "count_min""#),
      (#""event":"purchase","#, "", #"a decoded event needs the key "event""#),
      (#""min":1.0,"#, "", #"a revenue range needs the key "min""#),
      (#""max_hours":24"#, #""max_hours":"24""#, #""max_hours" must be a whole number"#),
    ])
  func problems(old: String, new: String, message: String) throws {
    #expect(Self.text.contains(old))
    var record = Samples.record("{}")
    record.decoded = Self.whole
    let line = String(decoding: record.line.dropLast(), as: UTF8.self).replacing(old, with: new)
    let error = #expect(throws: SourceProblems.self) { try ReceivedRecord(Array(line.utf8)) }
    #expect(error?.problems.first?.message.contains(message) == true, "\(error?.problems.first?.message ?? "")")
  }

  @Test("The name of a value reads back, and other texts are none")
  func names() {
    for name in ["fine 0", "fine 63", "coarse low", "coarse high"] {
      #expect(DecodedValue.Value(name: name)?.name == name)
    }
    for name in ["", "fine", "fine x", "coarse huge", "rough 1", "fine 1 2", " fine 1"] {
      #expect(DecodedValue.Value(name: name) == nil, "\(name)")
    }
  }
}
