import SKANBase
import SKANDevice
import SKANModel
import SKANReceive
import Testing

@Suite("Decoding received postbacks")
struct DecodingModelsTests {
  private static let model = #"""
    {"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":12,"conversion_value_mapping":
      {"max_time_post_install_hours":24,"mapped_events":[{"mapped_event_name":"NAME"}]}}],
     "postback_mappings":[
      {"postback_sequence_index":0,"coarse_grained_conversion_value_mappings":
        {"high_conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"NAME-0"}]}}},
      {"postback_sequence_index":1,"coarse_grained_conversion_value_mappings":
        {"high_conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"NAME-1"}]}}}]}
    """#

  private static func model(_ name: String) throws -> ConversionModel {
    try ConversionModel(Array(model.replacing("NAME", with: name).utf8))
  }

  private static let app = AppStoreID("525463029")

  /// 2026-06-01T00:00:00Z.
  private static let time = Instant(microseconds: 1_780_272_000_000_000)

  /// What a decoded value says: MODEL WINDOW VALUE, and the events or why there are none.
  private static func text(_ value: DecodedValue?) -> String {
    guard let value else { return "none" }
    let events = value.meaning?.events.map(\.name).joined(separator: ",")
    return "\(value.model) \(value.window.rawValue) \(value.value?.name ?? "-"): \(events ?? value.undecoded ?? "-")"
  }

  private static func body(_ version: String, _ members: String) -> String {
    #"{"version":"\#(version)","app-id":525463029\#(members.isEmpty ? "" : ",")\#(members)}"#
  }

  @Test(
    "A value by its window; a fine value without a mapping is undecoded, whatever coarse value stands beside it",
    arguments: [
      ("4.0", #""postback-sequence-index":0,"conversion-value":12"#, "a.json 0 fine 12: a"),
      ("4.0", #""postback-sequence-index":"0","conversion-value":"12""#, "a.json 0 fine 12: a"),
      (
        "4.0", #""postback-sequence-index":0,"conversion-value":13,"coarse-conversion-value":"high""#,
        "a.json 0 fine 13: the model gives fine value 13 to no install"
      ),
      (
        "4.0", #""postback-sequence-index":0,"conversion-value":70"#,
        "a.json 0 fine 70: the model gives fine value 70 to no install"
      ),
      ("4.0", #""postback-sequence-index":0,"coarse-conversion-value":"high""#, "a.json 0 coarse high: a-0"),
      ("4.0", #""postback-sequence-index":1,"coarse-conversion-value":"HIGH""#, "a.json 1 coarse high: a-1"),
      (
        "4.0", #""postback-sequence-index":2,"coarse-conversion-value":"high""#,
        "a.json 2 coarse high: the model gives coarse value high of postback 2 to no install"
      ),
      (
        "4.0", #""postback-sequence-index":1,"conversion-value":12"#,
        "a.json 1 fine 12: a fine value belongs to postback 0"
      ),
      (
        "4.0", #""postback-sequence-index":1,"conversion-value":12,"coarse-conversion-value":"high""#,
        "a.json 1 coarse high: a-1"
      ),
      (
        "4.0", #""coarse-conversion-value":"high""#,
        "a.json 0 coarse high: without a postback-sequence-index from 0 to 2 its window is not known"
      ),
      ("4.0", "", "a.json 0 -: -"),
      ("4.0", #""postback-sequence-index":2,"conversion-value":null"#, "a.json 2 -: -"),
      (
        "4.0", #""postback-sequence-index":0,"conversion-value":"x""#,
        "a.json 0 -: its conversion-value is not a number"
      ),
      (
        "4.0", #""postback-sequence-index":0,"coarse-conversion-value":"huge""#,
        "a.json 0 -: its coarse-conversion-value is none of low, medium and high"
      ),
      ("3.0", #""conversion-value":12"#, "a.json 0 fine 12: a"),
      ("2.1", #""coarse-conversion-value":"high""#, "a.json 0 -: -"),
      ("9.0", #""conversion-value":12"#, "none"),
    ])
  func values(version: String, members: String, expected: String) throws {
    var models = DecodingModels()
    try models.add(Self.model("a"), file: "a.json", for: Self.app, from: nil)
    let document = try Samples.document(Self.body(version, members))
    #expect(Self.text(models.decode(document, receivedAt: Self.time, isDevelopment: false)) == expected)
  }

  @Test("Meaning, hours and revenue are the mapping's")
  func meaning() throws {
    var models = DecodingModels()
    try models.add(Self.model("a"), file: "a.json", for: nil, from: nil)
    let document = try Samples.document(Self.body("3.0", #""conversion-value":12"#))
    let meaning = models.decode(document, receivedAt: Self.time, isDevelopment: false)?.meaning
    #expect(meaning?.text == "a at least once, within 24 h of the first call")
    #expect(meaning?.minHours == nil && meaning?.maxHours == 24 && meaning?.revenue == nil)
  }

  /// Hours after ``time`` at which a postback is received, and by which model it is decoded: the second begins there.
  @Test(
    "The model is the one that was valid when the postback was prepared",
    arguments: [
      ("4.0", #""postback-sequence-index":0"#, false, 36.0), ("4.0", #""postback-sequence-index":1"#, false, 84.0),
      ("4.0", #""postback-sequence-index":2"#, false, 84.0), ("3.0", #""conversion-value":12"#, false, 12.0),
      ("4.0", #""postback-sequence-index":0"#, true, 0.125),
    ])
  func validity(version: String, members: String, isDevelopment: Bool, hours: Double) throws {
    var models = DecodingModels()
    try models.add(Self.model("c"), file: "c", for: Self.app, from: Self.time.later(by: .hours(1000)))
    try models.add(Self.model("b"), file: "b", for: Self.app, from: Self.time)
    try models.add(Self.model("a"), file: "a", for: Self.app, from: nil)
    let document = try Samples.document(Self.body(version, members))
    let begin = Self.time.later(by: TimeSpan(microseconds: Int64(hours * 3.6e9)))
    let file = { (time: Instant) in
      models.decode(document, receivedAt: time, isDevelopment: isDevelopment)?.model
    }
    #expect(file(begin.later(by: TimeSpan(microseconds: -1))) == "a")
    #expect(file(begin) == "b" && file(begin.later(by: .hours(999))) == "b")
    #expect(file(begin.later(by: .hours(1000))) == "c")
  }

  @Test("Before the first model is valid a value is undecoded")
  func early() throws {
    var models = DecodingModels()
    try models.add(Self.model("b"), file: "b", for: Self.app, from: Self.time)
    let document = try Samples.document(Self.body("3.0", #""conversion-value":12"#))
    #expect(
      Self.text(models.decode(document, receivedAt: Self.time, isDevelopment: false))
        == "b 0 fine 12: it was prepared about 2026-05-31T12:00:00Z, and no model is valid before 2026-06-01T00:00:00Z")
  }

  @Test("An app's own model, that of all others, and none")
  func apps() throws {
    var models = DecodingModels()
    #expect(models.isEmpty)
    try models.add(Self.model("a"), file: "a", for: Self.app, from: nil)
    let other = try Samples.document(#"{"version":"3.0","app-id":"0077","conversion-value":12}"#)
    let nameless = try Samples.document(#"{"version":"3.0","conversion-value":12}"#)
    let file = { (document) in models.decode(document, receivedAt: Self.time, isDevelopment: false)?.model }
    #expect(file(other) == nil && file(nameless) == nil)
    try models.add(Self.model("o"), file: "o", for: nil, from: nil)
    #expect(file(other) == "o" && file(nameless) == "o")
    try models.add(Self.model("s"), file: "s", for: AppStoreID("id77"), from: nil)
    #expect(file(other) == "s")
    #expect(file(try Samples.document(Self.body("3.0", ""))) == "a")
    let overlap = #expect(throws: DecodingModels.Overlap.self) {
      try models.add(Self.model("t"), file: "t", for: AppStoreID("77"), from: nil)
    }
    #expect(overlap?.earlierFile == "s")
  }
}
