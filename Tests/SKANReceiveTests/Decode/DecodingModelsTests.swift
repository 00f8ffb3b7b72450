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

@Suite("The map of campaigns")
struct CampaignMapTests {
  private static let header = "network,identifier,from,until,campaign_id,campaign_name,country\n"

  private static func map(_ rows: [String]) throws(SourceNotes) -> CampaignMap {
    try CampaignMap(Array((header + rows.joined(separator: "\n")).utf8), file: "c.csv")
  }

  /// What a map says of a postback that was received at 2026-06-01T12:00:00Z, so that the install was about 84 h earlier
  /// with version 4, and 36 h with version 3.
  private static func text(_ rows: [String], _ body: String, isDevelopment: Bool = false) throws -> String {
    let result = try map(rows).campaign(
      of: try Samples.document(body), receivedAt: Instant(microseconds: 1_780_315_200_000_000),
      isDevelopment: isDevelopment)
    return switch result {
    case .match(let campaign): "\(campaign.id) \(campaign.name ?? "-") \(campaign.country ?? "-")"
    case .finding(let code, let message): "\(code.rawValue): \(message)"
    case nil: "none"
    }
  }

  private static func v4(_ identifier: String, network: String = "a.skadnetwork") -> String {
    #"{"version":"4.0","ad-network-id":"\#(network)","source-identifier":"\#(identifier)","postback-sequence-index":0}"#
  }

  private static func v3(_ campaign: Int) -> String {
    #"{"version":"3.0","ad-network-id":"a.skadnetwork","campaign-id":\#(campaign)}"#
  }

  private static let time = "2026-05-29T00:00:00Z"

  @Test(
    "The row whose digits agree",
    arguments: [
      (["a.skadnetwork,5239,,,7,Spring,DE"], v4("5239"), "7 Spring DE"),
      (["a.skadnetwork,5239,,,7,Spring,"], v4("39"), "7 Spring -"),
      (["a.skadnetwork,5239,,,7,,"], v4("239"), "7 - -"),
      (["a.skadnetwork,39,,,7,,"], v4("5239"), "7 - -"),
      (["A.SKAdNetwork,39,,,7,,"], v4("39", network: "a.skadnetwork"), "7 - -"),
      (["a.skadnetwork,39,,,7,,", "a.skadnetwork,5239,,,8,,"], v4("5239"), "8 - -"),
      (["a.skadnetwork,39,,,7,,", "a.skadnetwork,5239,,,8,,"], v4("6139"), "7 - -"),
      (
        ["a.skadnetwork,39,,,7,,", "a.skadnetwork,5239,,,8,,"], v4("39"),
        "campaign-ambiguous: c.csv has several campaigns (7, 8) for source identifier 39 of a.skadnetwork at the time of "
          + "its install, about \(time): lines 2, 3."
      ),
      (["a.skadnetwork,5239,,,7,,", "a.skadnetwork,6139,,,7,,"], v4("39"), "7 - -"),
      (
        (1...7).map { "a.skadnetwork,\($0)39,,,\($0),," }, v4("39"),
        "campaign-ambiguous: c.csv has several campaigns (1, 2, 3, 4, 5, …) for source identifier 39 of a.skadnetwork at "
          + "the time of its install, about \(time): lines 2, 3, 4, 5, 6, …."
      ),
      (
        ["a.skadnetwork,52,,,7,,"], v4("5239"),
        "campaign-unknown: c.csv has no row for source identifier 5239 of a.skadnetwork."
      ),
      (
        ["a.skadnetwork,5239,,,7,,"], v4("5239", network: "b.skadnetwork"),
        "campaign-unknown: c.csv has no row for source identifier 5239 of b.skadnetwork."
      ),
      (["a.skadnetwork,5,,,7,,", "a.skadnetwork,05,,,8,,"], v4("05"), "8 - -"),
      // A campaign id of one digit is none of a source identifier.
      (
        ["a.skadnetwork,5,,,7,,"], v4("05"),
        "campaign-unknown: c.csv has no row for source identifier 05 of a.skadnetwork."
      ),
      (["a.skadnetwork,5,,,7,,"], v3(5), "7 - -"), (["a.skadnetwork,05,,,7,,"], v3(5), "7 - -"),
      (["a.skadnetwork,100,,,7,,"], v3(100), "7 - -"),
      (
        ["a.skadnetwork,5239,,,7,,"], v3(39),
        "campaign-unknown: c.csv has no row for campaign id 39 of a.skadnetwork."
      ),
      (["a.skadnetwork,39,,,7,,"], #"{"version":"9.9"}"#, "none"),
      (
        ["a.skadnetwork,39,,,7,,"], #"{"version":"4.0"}"#,
        "campaign-unknown: It has no identifier that c.csv could name."
      ),
      (
        ["a.skadnetwork,39,,,7,,"], v3(39).replacing("39", with: #""x""#),
        "campaign-unknown: It has no identifier that c.csv could name."
      ),
      (
        ["a.skadnetwork,39,,,7,,"], v4("x"), "campaign-unknown: It has no identifier that c.csv could name."
      ),
    ])
  func digits(rows: [String], body: String, expected: String) throws {
    #expect(try Self.text(rows, body) == expected)
  }

  @Test("Name and country only where all rows agree")
  func common() throws {
    let row = { (rest: String) in "a.skadnetwork,39,,,7,\(rest)" }
    #expect(try Self.text([row("Spring,DE"), row("Spring,AT")], Self.v4("39")) == "7 Spring -")
    #expect(try Self.text([row("Spring,DE"), row("Spring,")], Self.v4("39")) == "7 Spring -")
    #expect(try Self.text([row("Spring,DE"), row("Summer,DE")], Self.v4("39")) == "7 - DE")
  }

  @Test(
    "A row is valid from its first day to the end of its last, at the time of the install",
    arguments: [
      ("2026-05-29,2026-05-29", true), ("2026-05-28,2026-05-28", false), ("2026-05-30,", false), (",2026-05-28", false),
      ("2026-05-29T00:00:00Z,2026-05-29T00:00:01Z", true), (",2026-05-29T00:00:00Z", false),
      ("2026-05-29T00:00:01Z,", false),
    ])
  func validity(times: String, isValid: Bool) throws {
    let text = try Self.text(["a.skadnetwork,39,\(times),7,,"], Self.v4("39"))
    #expect(
      text
        == (isValid
          ? "7 - -"
          : "campaign-unknown: c.csv has no row for source identifier 39 of a.skadnetwork at the time of its install, "
            + "about \(Self.time)."))
  }

  @Test("The time of the install by version and kind of impression")
  func estimates() throws {
    let rows = [
      "a.skadnetwork,39,,2026-05-30,old,,", "a.skadnetwork,39,2026-05-31,2026-06-01T11:30:00Z,mid,,",
      "a.skadnetwork,39,2026-06-01T11:30:00Z,,new,,",
    ]
    #expect(try Self.text(rows, Self.v4("39")) == "old - -")
    #expect(try Self.text(rows, Self.v3(39)) == "mid - -")
    #expect(try Self.text(rows, Self.v4("39"), isDevelopment: true) == "new - -")
  }

  @Test("Everything that is wrong with a map, with its line and column")
  func problems() throws {
    let error = #expect(throws: SourceNotes.self) {
      try Self.map([
        ",39,,,7,,", "a,,,,7,,", "a,39,,,,,", "a,12345,,,7,,", "a,x,,,7,,", "a,39,1.5.2026,,7,,", "a,39,,tomorrow,7,,",
        "a,39,2026-05-02,2026-05-01,7,,", "a,39,,,7",
      ])
    }
    let digits = "identifier must be a campaign id from 1 to 100, or two to four digits of a source identifier"
    let time = "must be a date of UTC (2026-05-01) or an instant (2026-05-01T09:00:00Z)"
    #expect(
      error?.notes.map { "\($0.location.line):\($0.location.column): \($0.message)" } == [
        "2:1: network is empty", "3:3: identifier is empty", "4:8: campaign_id is empty", "5:3: \(digits)",
        "6:3: \(digits)", "7:6: from \(time); a spreadsheet may have changed it", "8:7: until \(time)",
        "9:17: until is not after from: the row is never valid", "10:1: this row has 5 fields, the header has 7",
      ])
    let empty = #expect(throws: SourceNotes.self) { try Self.map([]) }
    #expect(empty?.notes.map(\.message) == ["there is no row under the header"])
  }
}
