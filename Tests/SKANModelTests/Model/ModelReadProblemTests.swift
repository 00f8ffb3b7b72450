import SKANBase
import Testing

@testable import SKANModel

@Suite("Models that cannot be used")
struct ModelReadProblemTests {
  @Test(
    "Each problem with its index",
    arguments: [
      ("[]", "[]: there is no model in it: the answer of Google's API is empty"),
      ("[[]]", "[[]]: there is no model in it: the answer of Google's API is empty"),
      (#"{"results":[]}"#, #"{"results":[]}: there is no model in it: the answer of Google's API is empty"#),
      (#"{"fieldMask":"x"}"#, #"{"fieldMask":"x"}: there is no model in it: the answer of Google's API is empty"#),
      (#"{"results":5}"#, #"5: "results" must be an array, this is 5"#),
      (
        #"{"results":[],"nextPageTokn":"x"}"#,
        #""nextPageTokn": an answer of Google's API has no key "nextPageTokn"; did you mean "next_page_token"?"#
      ), ("5", "5: a model must be an object, this is a number"),
      ("{}", "{}: the model maps nothing: neither a fine value nor a coarse one, nor a lock"),
      (
        #"{"schema":{"app_id":"1"}}"#,
        #"{"app_id":"1"}: the model maps nothing: neither a fine value nor a coarse one, nor a lock"#
      ),
      (
        #"{"op":"session"}"#,
        #"{"op":"session"}: this is a step of an event list, not a model: 'skan replay' runs it"#
      ), ("# life\n{\"op\":\"register\"}\n{}", "#: this is an event list, not a model: 'skan replay' runs it"),
      (#"{"schema":5}"#, "5: a model must be an object, this is a number"),
      (
        #"{"schema":{"postback_mappings":[{"lock_window_event":"a"}]},"extra":1}"#,
        "\"extra\": the wrapper of a model has no key \"extra\"; known: schema, resource_name, $schema"
      ),
      (#"{"app_idd":"1"}"#, "\"app_idd\": a model has no key \"app_idd\"; did you mean \"app_id\"?"),
      (#"{"app_id":1}"#, "1: \"app_id\" must be a string, this is 1"),
      (
        #"{"measurement_window_hours":-1}"#,
        "-1: \"measurement_window_hours\" must be a whole number, 0 or more, this is -1"
      ),
      (
        #"{"measurementWindowHours":"1.5"}"#,
        "\"1.5\": \"measurement_window_hours\" must be a whole number, 0 or more, this is \"1.5\""
      ),
      (
        #"{"measurement_window_hours":9223372036854775808}"#,
        "9223372036854775808: \"measurement_window_hours\" must be a whole number, 0 or more, this is "
          + "9223372036854775808"
      ),
      (
        #"{"postback_mappings":{}}"#, "{}: \"postback_mappings\" must be an array, this is an object"
      ),
      (
        #"{"fine_grained_conversion_value_mappings":[7]}"#, "7: a fine mapping must be an object, this is a number"
      ),
      (
        Part.model(fine: [Part.fine(64)]),
        "64: \"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 64"
      ),
      (
        Part.model(windows: [Part.window(3)]),
        "3: \"postback_sequence_index\" must be a whole number from 0 to 2, this is 3"
      ),
      (
        Part.model(fine: [Part.fine(1, hours: #""min_time_post_install_hours":5,"max_time_post_install_hours":5"#)]),
        "5: the hours end (5) before they begin (5)"
      ),
    ])
  func top(text: String, complaint: String) { #expect(Models.complaints(text) == [complaint]) }

  @Test(
    "Each problem of a mapped event",
    arguments: [
      ("{}", "{}: a mapped event needs the key \"mapped_event_name\""),
      (#"{"mapped_event_name":""}"#, "\"\": an event needs a name"),
      (#"{"mapped_event_name":null}"#, nil),
      (Part.event("x", #""currency_code":5"#), "5: \"currency_code\" must be a string, this is 5"),
      (Part.event("x", #""event_name":"y""#), nil),
      (Part.event("x", #""event_counter":-2"#), "-2: \"event_counter\" must be a whole number, 0 or more, this is -2"),
      (
        Part.event("x", #""event_counter":1.5"#),
        "1.5: \"event_counter\" must be a whole number, 0 or more, this is 1.5"
      ),
      (
        Part.event("x", #""event_revenue_value":"5x""#),
        "\"5x\": \"event_revenue_value\" must be a number, this is \"5x\""
      ),
      (
        Part.event("x", #""event_revenue_value":"NaN""#),
        "\"NaN\": \"event_revenue_value\" must be a number, this is \"NaN\""
      ),
      (
        Part.event("x", #""event_revenue_range":{"min_event_revenue":"Infinity"}"#),
        "\"Infinity\": \"min_event_revenue\" must be a number, this is \"Infinity\""
      ), (Part.event("x", #""event_revenue_value":"-0.5""#), "\"-0.5\": \"event_revenue_value\" must be 0 or more"),
      (
        Part.event("x", #""event_counter":" 1""#),
        "\" 1\": \"event_counter\" must be a whole number, 0 or more, this is \" 1\""
      ), (#"{"mapped_event_name":"","event_counter":2}"#, "\"\": an event needs a name"),
      (Part.event("x", #""event_revenue_value":-1"#), "-1: \"event_revenue_value\" must be 0 or more"),
      (Part.revenue(5, 4), "4.0: a revenue range ends (4.0) before it begins (5.0)"),
      (Part.count("x", 5, 4), "4: an occurrence range ends (4) before it begins (5)"),
      (
        Part.event("x", #""event_counter":1,"event_occurrence_range":{"min_event_count":1}"#),
        "1: an event has \"event_occurrence_range\" or \"event_counter\", not both"
      ),
      (
        Part.event("x", #""event_revenue_value":1,"event_revenue_range":{"max_event_revenue":2}"#),
        "1: an event has \"event_revenue_range\" or \"event_revenue_value\", not both"
      ),
      (
        Part.event("x", #""event_revenue_range":[]"#), "[]: a revenue range must be an object, this is an array"
      ),
    ] as [(String, String?)])
  func events(event: String, complaint: String?) {
    let complaints = Models.complaints(Part.model(fine: [Part.fine(1, event)]))
    // Without an expectation: that there is a complaint is enough.
    if let complaint { #expect(complaints == [complaint]) } else { #expect(!complaints.isEmpty) }
  }

  @Test(
    "Lock triggers",
    arguments: [
      (
        #""lock_window_coarse_conversion_value":"TOP""#,
        "\"TOP\": \"lock_window_coarse_conversion_value\" must be one of LOW, MEDIUM, HIGH, this is \"TOP\""
      ),
      (
        #""lock_window_coarse_conversion_value":7"#,
        "7: \"lock_window_coarse_conversion_value\" must be one of LOW, MEDIUM, HIGH, this is 7"
      ),
      (
        #""lock_window_coarse_conversion_value":"high""#,
        "\"high\": \"lock_window_coarse_conversion_value\" must be one of LOW, MEDIUM, HIGH, this is \"high\"; did you "
          + "mean \"HIGH\"?"
      ),
      (
        #""lock_window_fine_conversion_value":64"#,
        "64: \"lock_window_fine_conversion_value\" must be a whole number from 0 to 63, this is 64"
      ),
      (
        #""lock_window_fine_conversion_value":6,"lock_window_event":"buy""#,
        "\"buy\": a window has one lock trigger, of fine value, coarse value and event"
      ),
    ])
  func locks(member: String, complaint: String) {
    #expect(Models.complaints(Part.model(windows: [Part.window(0, lock: member)])) == [complaint])
  }

  @Test("All at once, in the order of their locations")
  func several() {
    let text = Part.model(
      fine: [Part.fine(99, "{}"), Part.fine(1, Part.event("x", #""event_counter":-1"#))],
      windows: [Part.window(5, low: Part.revenue(2, 1), lock: #""lock_window":1"#)], #""app":1"#)
    let complaints = Models.complaints(text)
    #expect(complaints.map { $0.prefix { $0 != ":" } } == ["99", "{}", "-1", "5", "1.0", "\"lock_window\"", "\"app\""])
  }

  @Test("Text that is no JSON, and a key twice")
  func noJSON() {
    #expect(Models.complaints("").count == 1)
    #expect(Models.complaints("{\"app_id\":").map { $0.contains("not JSON") } == [true])
    #expect(Models.complaints(#"{"app_id":"1","app_id":"2"}"#).map { $0.contains("is given twice") } == [true])
  }

  @Test("Every prefix of an example is refused without a crash")
  func prefixes() throws {
    let bytes = try Models.bytes("mixed")
    let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
    for length in stride(from: 0, through: end, by: 7) {
      #expect(throws: SourceProblems.self) { try ConversionModel(Array(bytes[..<length])) }
    }
  }

  @Test("A postback that is mapped twice is reported where it is the second time")
  func secondPostback() {
    let (first, second) = (Part.window(1), Part.window(1, low: Part.event("a")))
    let text = Part.model(windows: [first, second])
    #expect(Models.complaints(text) == ["\(second.prefix(24))…: postback 1 is mapped twice"])
    do throws(SourceProblems) {
      _ = try Models.read(text)
    } catch {
      #expect(error.problems.map(\.range.count) == [second.utf8.count])
    }
  }

  /// What `skan model check` reports: everything at once.
  private func everything(_ text: String) -> [String] {
    do throws(SourceProblems) {
      let (_, errors, warnings, _) = try ModelFile.check(Array(text.utf8))
      return SourceProblems(errors + warnings).problems.map(\.message)
    } catch {
      return error.problems.map(\.message)
    }
  }

  @Test(
    "What cannot be read hides nothing that is odd, and makes nothing odd",
    arguments: [
      (
        Part.model(fine: [Part.fine(64), Part.fine(1, Part.event("a")), Part.fine(1, Part.event("b"))]),
        [
          "\"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 64",
          "fine value 1 is mapped twice",
        ]
      ),
      // No value 0 is made of the wrong ones.
      (
        Part.model(fine: [Part.fine(0), Part.fine(64), Part.fine(65)]),
        [
          "\"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 64",
          "\"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 65",
        ]
      ),
      (
        Part.model(windows: [Part.window(0), Part.window(3)]),
        ["\"postback_sequence_index\" must be a whole number from 0 to 2, this is 3"]
      ),
      // The gap may be filled by what cannot be read.
      (
        Part.model(fine: [
          Part.fine(1, Part.revenue(1, 5)), Part.fine(2, Part.revenue(9, 5)), Part.fine(3, Part.revenue(9, 12)),
        ]), ["a revenue range ends (5.0) before it begins (9.0)"]
      ),
      (
        Part.model(
          fine: [Part.fine(64)], windows: [Part.window(0, lock: #""lock_window_fine_conversion_value":5"#)]),
        ["\"fine_grained_conversion_value\" must be a whole number from 0 to 63, this is 64"]
      ),
    ])
  func all(text: String, messages: [String]) { #expect(everything(text) == messages) }

  @Test("One that nothing is in is a problem")
  func empty() {
    let problems = Models.complaints(Part.model(fine: [Part.fine(1, Part.revenue(5, 5))]))
    #expect(
      problems.count == 1 && problems[0].hasSuffix(": no revenue is in this range: its end is not part of it"),
      "\(problems)")
  }

  @Test("One may begin beyond whole numbers")
  func huge() throws {
    let event = Part.event("__REVENUE__", #""event_revenue_range":{"min_event_revenue":18446744073709551615}"#)
    let model = try Models.read(Part.model(fine: [Part.fine(1, event)]))
    #expect(model.fine[0].mapping.events[0].revenue == RevenueCondition(min: Double(UInt64.max)))
  }
}
