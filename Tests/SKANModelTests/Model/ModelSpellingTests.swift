import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Spellings of a model")
struct ModelSpellingTests {
  private static let snake =
    #"{"app_id":"7","measurement_window_hours":72,"fine_grained_conversion_value_mappings":[{"#
    + #""fine_grained_conversion_value":5,"conversion_value_mapping":{"min_time_post_install_hours":1,"#
    + #""max_time_post_install_hours":24,"mapped_events":[{"mapped_event_name":"buy","currency_code":"EUR","#
    + #""event_revenue_range":{"min_event_revenue":1,"max_event_revenue":2.5},"#
    + #""event_occurrence_range":{"min_event_count":2,"max_event_count":3}}]}}],"#
    + #""postback_mappings":[{"postback_sequence_index":1,"coarse_grained_conversion_value_mappings":{"#
    + #""low_conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"__SESSION__"}]}},"#
    + #""lock_window_coarse_conversion_value":"LOW"}]}"#

  /// `min_event_count` as `minEventCount`.
  private static let camel = String(
    snake.split(separator: "\"", omittingEmptySubsequences: false).map { part -> String in
      guard part.contains("_"), !part.hasPrefix("__") else { return String(part) }
      let words = part.split(separator: "_")
      return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }.joined(separator: "\""))

  /// Numbers of 64 bits as text.
  private static let quoted = ["hours\":", "_count\":", "_hours\":", "index\":", "_value\":"].reduce(snake) {
    text, key in
    (0...9).reduce(text) { text, digit in
      ["72", "24"].reduce(text) { $0.replacing("\(key)\($1)", with: "\(key)\"\($1)\"") }
        .replacing("\(key)\(digit),", with: "\(key)\"\(digit)\",")
        .replacing("\(key)\(digit)}", with: "\(key)\"\(digit)\"}")
    }
  }

  /// A model without the places of its mappings, which differ between spellings.
  private static func placeless(_ model: ConversionModel) -> ConversionModel {
    var model = model
    for index in model.fine.indices { model.fine[index].mapping.range = 0..<0 }
    for window in ConversionWindow.allCases {
      for index in model.windows[window].coarse.indices { model.windows[window].coarse[index].mapping.range = 0..<0 }
      model.windows[window].lockRange = 0..<0
    }
    model.measurementRange = 0..<0
    return model
  }

  /// With what a tool may print besides: texts for numbers, unset members, null.
  private static let verbose = snake.replacing(":72,", with: #":"7.2e1","$schema":"https://example.com/schema","#)
    .replacing(#""min_event_count":2"#, with: #""min_event_count":"0.2e1""#)
    .replacing("2.5}", with: #""2.5"},"event_revenue_value":0,"event_counter":null"#)
    .replacing(#""LOW""#, with: #"3,"lock_window_fine_conversion_value":0,"lock_window_event":"""#)
    .replacing(#"{"low_"#, with: #"{"high_conversion_value_mapping":null,"low_"#)
    .replacing(
      #""mapped_event_name":"__SESSION__""#,
      with:
        #""mapped_event_name":"__SESSION__","currency_code":null,"event_counter":"0","event_revenue_range":{},"event_revenue_value":"0""#
    )

  private static func row(_ model: String) -> String {
    #"{"customerSkAdNetworkConversionValueSchema":{"resourceName":"customers/1","schema":\#(model)}}"#
  }

  @Test(
    "All spellings are one model",
    arguments: [
      camel, quoted, #"{"schema":\#(snake)}"#, #"{"resourceName":"customers/1","schema":\#(camel)}"#,
      #"{"resource_name":"customers/1","schema":\#(quoted)}"#, " \n\(snake)\n", snake.replacing(":72", with: ":72.0"),
      "\u{FEFF}\(snake)", verbose, row(camel), row(verbose),
      #"[{"results":[\#(row(camel))],"fieldMask":"a.b","requestId":"x"}]"#,
      #"[{"fieldMask":"a.b"},{"results":[\#(row(snake))]}]"#,
      #"{"results":[\#(row(camel))],"totalResultsCount":"1","nextPageToken":""}"#,
      #"{"customer_sk_ad_network_conversion_value_schema":{"schema":\#(snake)},"customer":{"id":"1"}}"#,
      #"{"customerId":"1","operation":{"update":{"resourceName":"r","schema":\#(snake)}},"validateOnly":true}"#,
    ])
  func spellings(text: String) throws {
    #expect(text != Self.snake)
    #expect(Self.placeless(try Models.read(text)) == Self.placeless(try Models.read(Self.snake)))
  }

  @Test("What the spellings say")
  func meaning() throws {
    let model = try Models.read(Self.snake)
    #expect(model.appID == "7")
    #expect(model.measurementHours == 72)
    let step = try #require(model.fine.first)
    #expect(step.value == 5)
    #expect(step.mapping.minHours == 1)
    #expect(step.mapping.maxHours == 24)
    let event = try #require(step.mapping.events.first)
    #expect(event.name == "buy")
    #expect(event.currency == "EUR")
    #expect(event.revenue == RevenueCondition(min: 1, max: 2.5))
    #expect(event.occurrence == OccurrenceCondition(min: 2, max: 3))
    #expect(model.windows[.p1].coarse.map(\.value) == [.low])
    #expect(model.windows[.p1].lock == .coarse(.low))
    #expect(model.windows[.p0] == ConversionModel.WindowModel())
    #expect(model.windows[.p2] == ConversionModel.WindowModel())
  }

  @Test(
    "0 and an empty text are unset",
    arguments: [
      (#""currency_code":"""#, nil, nil), (#""event_counter":0"#, nil, nil), (#""event_counter":"0""#, nil, nil),
      (#""event_revenue_value":0"#, nil, nil), (#""event_counter":"3""#, nil, OccurrenceCondition(min: 3, max: 3)),
      (#""event_revenue_value":2.5"#, RevenueCondition(min: 2.5), nil),
      (
        #""event_revenue_range":{"min_event_revenue":0,"max_event_revenue":4}"#, RevenueCondition(min: 0, max: 4), nil
      ), (#""event_revenue_range":{"min_event_revenue":4,"max_event_revenue":0}"#, RevenueCondition(min: 4), nil),
      (
        #""event_occurrence_range":{"min_event_count":0,"max_event_count":4}"#, nil, OccurrenceCondition(min: 1, max: 4)
      ),
      (#""event_occurrence_range":{"min_event_count":"4","max_event_count":"0"}"#, nil, OccurrenceCondition(min: 4)),
      // A range without an end asks for nothing, as none does.
      (#""event_revenue_range":{}"#, nil, nil), (#""event_revenue_value":"0.99""#, RevenueCondition(min: 0.99), nil),
      (#""event_revenue_value":"1e1""#, RevenueCondition(min: 10), nil),
      (
        #""event_revenue_range":{"min_event_revenue":2,"max_event_revenue":"Infinity"}"#, RevenueCondition(min: 2), nil
      ), (#""event_counter":null,"currency_code":null,"event_revenue_range":null"#, nil, nil),
      (
        #""event_counter":3,"event_occurrence_range":{},"event_revenue_value":0"#, nil,
        OccurrenceCondition(min: 3, max: 3)
      ),
      (
        #""event_counter":0,"event_occurrence_range":{"max_event_count":2}"#, nil, OccurrenceCondition(min: 1, max: 2)
      ),
      (#""event_revenue_range":{"min_event_revenue":0,"max_event_revenue":0}"#, nil, nil),
    ] as [(String, RevenueCondition?, OccurrenceCondition?)])
  func unset(members: String, revenue: RevenueCondition?, occurrence: OccurrenceCondition?) throws {
    let model = try Models.read(Part.model(fine: [Part.fine(1, Part.event("x", members))]))
    let event = try #require(model.fine.first?.mapping.events.first)
    #expect(event == MappedEvent(name: "x", currency: nil, revenue: revenue, occurrence: occurrence))
  }

  @Test("What is absent: a fine value and an index of 0, hours and the app")
  func absent() throws {
    let model = try Models.read(
      #"{"app_id":"","measurement_window_hours":0,"fine_grained_conversion_value_mappings":[{}],"#
        + #""postback_mappings":[{"lock_window_event":"buy"}]}"#)
    #expect(model.appID == nil)
    #expect(model.measurementHours == nil)
    #expect(model.fine.map(\.value) == [0])
    #expect(model.windows[.p0].lock == .event("buy"))
  }

  @Test(
    "Lock triggers",
    arguments: [
      ("", nil), (#""lock_window_event":"buy""#, .event("buy")), (#""lockWindowEvent":"""#, nil),
      (#""lock_window_fine_conversion_value":9"#, .fine(9)), (#""lockWindowFineConversionValue":"63""#, .fine(63)),
      (#""lock_window_coarse_conversion_value":"LOW""#, .coarse(.low)),
      (#""lock_window_coarse_conversion_value":"MEDIUM""#, .coarse(.medium)),
      (#""lockWindowCoarseConversionValue":"HIGH""#, .coarse(.high)),
      (#""lockWindowCoarseConversionValue":"UNSPECIFIED""#, nil),
      (#""lockWindowCoarseConversionValue":"NONE""#, nil), (#""lockWindowCoarseConversionValue":6"#, nil),
      (#""lockWindowCoarseConversionValue":0"#, nil), (#""lockWindowCoarseConversionValue":5"#, .coarse(.high)),
      (#""lockWindowCoarseConversionValue":4"#, .coarse(.medium)), (#""lockWindowFineConversionValue":null"#, nil),
      (#""lockWindowFineConversionValue":0,"lockWindowEvent":"buy""#, .event("buy")),
    ] as [(String, ConversionModel.LockTrigger?)])
  func locks(member: String, trigger: ConversionModel.LockTrigger?) throws {
    let text = Part.model(windows: [Part.window(2, low: Part.event("a"), lock: member)])
    #expect(try Models.read(text).windows[.p2].lock == trigger)
  }

  @Test("Revenue without an event is revenue alone")
  func withoutEvent() throws {
    for name in [#""mapped_event_name":"","#, #""mapped_event_name":null,"#, ""] {
      let event = #"{\#(name)"event_revenue_range":{"min_event_revenue":5}}"#
      let entry = try Models.read(Part.model(fine: [Part.fine(1, event)])).fine.first?.mapping.events.first
      #expect(entry == MappedEvent(name: "__REVENUE__", revenue: RevenueCondition(min: 5)))
    }
  }

  @Test("Several models in a file")
  func several() throws {
    let rows = ["1", "2"].map { Self.row(#"{"app_id":"\#($0)","fine_grained_conversion_value_mappings":[{}]}"#) }
    let text = #"[{"results":[\#(rows[0])]},{"results":[\#(rows[1])]}]"#
    #expect(try ModelFile(Array(text.utf8)).models.map(\.appID) == ["1", "2"])
    #expect(Models.complaints(text) == ["[: there are 2 models in it"])
  }

  @Test("Events by other names")
  func aliases() throws {
    let model = try Models.read(
      Part.model(
        fine: [Part.fine(1, Part.event("session_start"), Part.event("buy"))],
        windows: [Part.window(1, low: Part.event("buy"), lock: #""lock_window_event":"buy""#)]))
    let renamed = model.renamingEvents(["session_start": "__SESSION__", "buy": "purchase"])
    #expect(renamed.eventNames == ["__SESSION__", "purchase"])
    #expect(renamed.windows[.p1].lock == .event("purchase"))
    #expect(model.renamingEvents([:]) == model)
  }
}
