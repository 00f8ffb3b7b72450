import SKANBase
import Testing

@testable import SKANModel

@Suite("Google Analytics' schema as a model")
struct AnalyticsSchemaTests {
  /// What the conversion complains of, or the model's tables in lines.
  private func result(_ text: String, currency: String? = "USD") -> [String] {
    do throws(SourceProblems) {
      let model = try AnalyticsSchema(Array(text.utf8)).converted(currency: currency).model
      return model.tables.flatMap { table in table.rows.map { "\($0.value): \($0.meaning)" } }
    } catch {
      return error.problems.map { Models.lines($0, in: text) }
    }
  }

  @Test("Fine and coarse values, locks, and windows that take window one's")
  func whole() {
    let text = Schema.text(
      Schema.value(60, coarse: "HIGH", lock: true, Schema.event("buy", value: (10, nil))),
      Schema.value(40, coarse: "HIGH", Schema.event("buy", value: (5, 10))),
      Schema.value(20, coarse: "MEDIUM", Schema.event("buy", value: (nil, 5))),
      Schema.value(10, coarse: "LOW", Schema.event("session_start", count: (3, 9)), Schema.event("tutorial")))
    let coarse = [
      "low: session_start 3 to 9 times and tutorial at least once",
      "medium: buy at least once with revenue from 0 to below 5 USD",
      "high: buy at least once with revenue of at least 5 USD",
    ]
    // The lock by 60 alone has no counterpart in the later windows.
    #expect(result(text).count == 1 && result(text)[0].hasPrefix("true: window two takes the values of window one"))
    let settled = Schema.text(
      Schema.value(60, coarse: "HIGH", lock: true, Schema.event("buy", value: (10, nil))),
      Schema.value(40, coarse: "HIGH", lock: true, Schema.event("buy", value: (5, 10))),
      Schema.value(20, coarse: "MEDIUM", Schema.event("buy", value: (nil, 5))),
      Schema.value(10, coarse: "LOW", Schema.event("session_start", count: (3, 9)), Schema.event("tutorial")),
      three: #"{"postbackWindowSettingsEnabled":true,"conversionValues":[{"coarseValue":"COARSE_VALUE_LOW","#
        + #""eventMappings":[{"eventName":"open"}]}]}"#)
    #expect(
      result(settled) == [
        "10: session_start 3 to 9 times and tutorial at least once",
        "20: buy at least once with revenue from 0 to below 5 USD",
        "40: buy at least once with revenue from 5 to below 10 USD",
        "60: buy at least once with revenue of at least 10 USD",
      ] + coarse + ["lock: once fine value 40 is reached"] + coarse + ["lock: once coarse value high is reached"]
        + ["low: open at least once"])
  }

  @Test(
    "What has no counterpart",
    arguments: [
      // The first counts there, the highest here.
      (
        [Schema.value(1, Schema.event("a")), Schema.value(2, Schema.event("b"))],
        "fine value 2 can hold together with fine value 1 before it: here the first of them counts, in a model the highest"
      ),
      (
        [Schema.value(2, Schema.event("a")), Schema.value(2, Schema.event("b"))],
        "fine value 2 is given by two conversion values; a model maps it once"
      ),
      (
        [Schema.value(2, coarse: "LOW", Schema.event("a")), Schema.value(1, coarse: "HIGH", Schema.event("b"))],
        "coarse value high can hold together with coarse value low before it: here the first of them counts, in a model the "
          + "highest"
      ),
      (
        [Schema.value(2, Schema.event("a")), Schema.value(1, coarse: "LOW", Schema.event("b"))],
        "coarse value low can hold together with a value without a coarse one before it: here the first of them counts, in a "
          + "model the highest"
      ),
      // Who has what the model does not give would not be locked.
      (
        [
          Schema.value(1, coarse: "LOW", lock: true, Schema.event("a")),
          Schema.value(2, coarse: "LOW", lock: true, Schema.event("a", count: (5, nil)), Schema.event("b")),
          Schema.value(0, coarse: "LOW", lock: true, Schema.event("c")),
        ],
        "a model locks once a value is reached or passed: either a higher value here does not lock, or this one has no number "
          + "above 0"
      ),
      (
        [Schema.value(2, Schema.event("a")), Schema.value(1, lock: true, Schema.event("b"))],
        "a model locks once a value is reached or passed: either a higher value here does not lock, or this one has no number "
          + "above 0"
      ),
      (
        [Schema.value(0, lock: true, Schema.event("a"))],
        "a model locks once a value is reached or passed: either a higher value here does not lock, or this one has no number "
          + "above 0"
      ),
      (
        [Schema.value(2, Schema.event("a", value: (1, nil))), Schema.value(1, Schema.event("b", value: (1, nil)))],
        "amounts of \"a\" and \"b\" are asked for; a model knows the window's revenue and not that of each event"
      ),
      (
        [Schema.value(2, Schema.event("a", count: (0, nil)))],
        "a model counts events from 1: leave it out, or ask for 1"
      ),
      ([Schema.value(2, Schema.event("a", count: (nil, 0)))], "an event that must not come has no counterpart"),
      ([Schema.value(2, Schema.event("a", value: (nil, 0)))], "no revenue is in this range: its end is not part of it"),
      (
        [Schema.value(2, Schema.event("a", count: (3, nil)), Schema.event("a", count: (nil, 2)))],
        "no value of the schema can ever hold"
      ),
      ([Schema.value(2)], "without an event, everyone would have the value"),
    ])
  func refused(values: [String], message: String) {
    let problems = result(Schema.text(values))
    #expect(problems.contains { $0.hasSuffix(": \(message)") }, "\(problems)")
  }

  @Test("A coarse value that values share without one mapping for it is left out, loudly; the others stay")
  func shared() throws {
    let values = [
      Schema.value(4, coarse: "HIGH", Schema.event("c")),
      Schema.value(3, coarse: "MEDIUM", Schema.event("buy", value: (5, 9))),
      Schema.value(2, coarse: "MEDIUM", Schema.event("buy", value: (1, 5))),
      Schema.value(1, coarse: "LOW", Schema.event("a")),
      Schema.value(0, coarse: "LOW", Schema.event("b")),
    ]
    func remarks(_ text: String) throws -> [String] {
      try AnalyticsSchema(Array(text.utf8)).converted(currency: "USD").remarks.map(\.message)
        .filter { $0.hasPrefix("left out") }
    }
    let message =
      "; several conversion values give it, and no single mapping of a model holds exactly when one of them does. "
      + "Users who have it "
      + "get a lower coarse value, or none"
    let text = Schema.text(values)
    #expect(try remarks(text) == ["left out: coarse value low of windows one, two and three\(message)"])
    let coarse = ["medium: buy at least once with revenue from 1 to below 9 USD", "high: c at least once"]
    let windows = [coarse, coarse, coarse].joined()
    #expect(result(text).suffix(6).elementsEqual(windows))
    let own =
      #"{"postbackWindowSettingsEnabled":true,"conversionValues":[{"coarseValue":"COARSE_VALUE_LOW","#
      + #""eventMappings":[{"eventName":"a"}]},{"coarseValue":"COARSE_VALUE_LOW","eventMappings":[{"eventName":"b"}]}]}"#
    #expect(
      try remarks(Schema.text(values, two: own)) == [
        "left out: coarse value low of windows one and three\(message)",
        "left out: coarse value low of window two\(message)",
      ])
  }

  @Test("A value before which others hold whenever it does is left out, loudly")
  func dead() throws {
    let text = Schema.text(Schema.value(1, Schema.event("a")), Schema.value(2, Schema.event("a", count: (3, nil))))
    let result = try AnalyticsSchema(Array(text.utf8)).converted(currency: nil)
    #expect(result.model.fine.map(\.value) == [1])
    #expect(result.remarks.map(\.message) == ["left out: values before this one hold whenever it does"])
  }

  @Test(
    "What is wrong with the text",
    arguments: [
      (#"{"postbackWindowOne":{}}"#, "window one needs values, and \"postback_window_settings_enabled\": true"),
      (Schema.text([#"{"fineValue":64,"eventMappings":[{"eventName":"a"}]}"#]), "from 0 to 63, this is 64"),
      (Schema.text([#"{"eventMappings":[{"eventName":"a"}]}"#]), "needs the key \"fine_value\""),
      (Schema.text([#"{"fineValue":1,"eventMappings":[{"eventNam":"a"}]}"#]), "did you mean \"event_name\"?"),
      (Schema.text([#"{"fineValue":1,"coarseValue":"HIGH","eventMappings":[{"eventName":"a"}]}"#]), "this is \"HIGH\""),
      (
        Schema.text(
          [Schema.value(1, Schema.event("a"))],
          two: #"{"postbackWindowSettingsEnabled":true,"conversionValues":[\#(Schema.value(1, Schema.event("a")))]}"#),
        "fine values belong to window one"
      ),
      (#"{"skadnetworkConversionValueSchemas":[{},{}]}"#, "a list of schemas must have one: leave the others out"),
      (#"{"skadnetworkConversionValueSchemas":5}"#, "a list of schemas must have one: leave the others out"),
      ("{", "not JSON: the text ends too early"),
      (#"{"name":"x"}"#, "window one needs values, and \"postback_window_settings_enabled\": true"),
      (#"{"applyConversionValues":"yes"}"#, "\"apply_conversion_values\" must be true or false"),
      (
        #"{"postbackWindowOne":{"postbackWindowSettingsEnabled":1}}"#,
        "\"postback_window_settings_enabled\" must be true or false"
      ),
      (Schema.text([#"{"fineValue":1,"lockEnabled":1,"eventMappings":[]}"#]), "\"lock_enabled\" must be true or false"),
      (Schema.text([#"{"fineValue":1}"#]), "a conversion value needs the key \"event_mappings\""),
      (
        Schema.text([#"{"fineValue":1,"fine_value":2,"eventMappings":[{"eventName":"a"}]}"#]),
        "the key \"fine_value\" is given in both spellings"
      ),
      (Schema.text(["5"]), "a conversion value must be an object, this is a number"),
      (Schema.text(["{\"fineValue\":1,\"eventMappings\":[{}]}"]), "an event mapping needs the key \"event_name\""),
      (
        Schema.text([Schema.value(1, Schema.event("a", count: (3, 2)))]),
        "the counts end (2) before they begin (3)"
      ),
    ])
  func wrong(text: String, message: String) {
    #expect(result(text).contains { $0.contains(message) }, "\(result(text))")
  }

  @Test("What is read in another sense than Google's is remarked")
  func remarks() throws {
    func remarks(_ text: String) throws -> [String] {
      try AnalyticsSchema(Array(text.utf8)).converted(currency: "USD").remarks.map { Models.lines($0, in: text) }
    }
    let value = Schema.value(1, Schema.event("a", value: (1, nil)))
    let amounts = ": amounts of \"a\" are read as all revenue of the window"
    #expect(try remarks(Schema.text([value])) == ["1.0\(amounts)"])
    #expect(
      try remarks(Schema.text([value]).replacing("{\"name\"", with: "{\"applyConversionValues\":false,\"name\"")) == [
        "{\"postbackWindowSettings…: Google's SDK sets no values by this schema: applyConversionValues is false",
        "1.0\(amounts)",
      ])
    #expect(
      try remarks(Schema.text([value]).replacing("{\"name\"", with: "{\"applyConversionValues\":true,\"name\"")).count
        == 1)
    // Window two has values of its own: window three takes those of window one.
    let own = #"{"postbackWindowSettingsEnabled":true,"conversionValues":[]}"#
    let locked = Schema.text(
      [Schema.value(2, lock: true, Schema.event("b")), Schema.value(1, Schema.event("a"))], two: own)
    #expect(
      result(locked).count == 1 && result(locked)[0].hasPrefix("true: window three takes the values of window one"))
  }

  @Test(
    "Forms of others are known by their keys or columns",
    arguments: [
      (#"{"currency":"USD","postbacks":[{"postback_index":1,"fine":null,"coarse":[]}]}"#, .tiktok),
      (#"{"data":[{"timer_buckets":1,"conversion_value_rules":[]}]}"#, .meta),
      (#"{"conversion_value_rules":[]}"#, .meta),
      (#"{"postbacks":[{"conversion_schema":{"fine":{"schema":[]}}}]}"#, .airbridge),
      (#"{"default_currency":"USD","conversion_bits_rules":[]}"#, .airbridge),
      (#"{"value":63,"coarse_value":"high","lock":true}"#, .appsflyer),
      (#"{"next_w_time":1672147423,"postback_sequence_index":2}"#, .appsflyer),
      ("\u{FEFF}conversion_value;min_range;max_range;currency\r\n1;0;1;USD\r\n", .tenjin),
      ("\"conversion_value\",\"google_event_name\"\n", .tenjin),
      ("postback_sequence_index,value_kind,fine_value\n", .rows), ("event\tfine_value\tcoarse_value\n", .rows),
      (#"[{"value_kind":"fine","fine_value":1,"event":"a"}]"#, .rows),
      (#"[{"fine_value":1,"coarse_value":null,"event":"a"}]"#, .rows),
      ("conversion_value,event\n", nil), ("window,value,event\n", nil), (#"{"postbacks":[]}"#, nil), ("[]", nil),
      (#"{"value":1}"#, nil),
    ] as [(String, ForeignModelForm?)])
  func foreign(text: String, form: ForeignModelForm?) {
    let kind = ModelSourceKind(Array(text.utf8))
    if let form { #expect(kind == .foreign(form)) } else { #expect(kind == .table || kind == .unknown) }
  }

  @Test("The kind of a file is found by its content")
  func kinds() throws {
    #expect(ModelSourceKind(Array("\u{FEFF}window,value".utf8)) == .table)
    #expect(ModelSourceKind(Array(Schema.text(Schema.value(1, Schema.event("a"))).utf8)) == .analyticsSchema)
    #expect(ModelSourceKind(try Models.bytes("mixed")) == .model)
    #expect(ModelSourceKind(Array(#"{"data":[]}"#.utf8)) == .unknown)
    #expect(ModelSourceKind(Array("{".utf8)) == .broken)
  }
}

/// Parts of a schema's text.
enum Schema {
  static func text(_ values: String..., three: String? = nil) -> String { text(values, three: three) }

  static func text(_ values: [String], two: String? = nil, three: String? = nil) -> String {
    let later = [("Two", two), ("Three", three)].compactMap { name, text in
      text.map { #","postbackWindow\#(name)":\#($0)"# }
    }
    return #"{"name":"properties/1","postbackWindowOne":{"postbackWindowSettingsEnabled":true,"conversionValues":["#
      + values.joined(separator: ",") + "]}" + later.joined() + "}"
  }

  static func value(_ fine: Int, coarse: String? = nil, lock: Bool = false, _ events: String...) -> String {
    #"{"fineValue":\#(fine),"# + (coarse.map { #""coarseValue":"COARSE_VALUE_\#($0)","# } ?? "")
      + (lock ? #""lockEnabled":true,"# : "") + #""eventMappings":[\#(events.joined(separator: ","))]}"#
  }

  static func event(_ name: String, count: (Int?, Int?) = (nil, nil), value: (Double?, Double?) = (nil, nil)) -> String
  {
    let members: [String?] = [
      #""eventName":"\#(name)""#, count.0.map { #""minEventCount":"\#($0)""# },
      count.1.map { #""maxEventCount":"\#($0)""# },
      value.0.map { #""minEventValue":\#($0)"# }, value.1.map { #""maxEventValue":\#($0)"# },
    ]
    return "{\(members.compactMap(\.self).joined(separator: ","))}"
  }
}
