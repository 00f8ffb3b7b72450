import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("What two models say differently")
struct ModelDifferenceTests {
  /// `WHAT: before → after` of each.
  private func differences(_ old: String, _ new: String) throws -> [String] {
    try Models.read(new).differences(from: Models.read(old)).map {
      "\($0.name): \($0.before ?? "none") → \($0.after ?? "none")"
    }
  }

  @Test(
    "The same under another text",
    arguments: [
      // The order of mappings, of entries, of keys.
      (
        [Part.fine(1, Part.event("a")), Part.fine(2, Part.event("b"), Part.count("c", 2, 3))],
        [Part.fine(2, Part.count("c", 2, 3), Part.event("b")), Part.fine(1, Part.event("a"))]
      ),
      // What is unset is the default.
      ([Part.fine(1, Part.event("a"))], [Part.fine(1, Part.count("a", 1, nil))]),
      ([Part.fine(1, Part.event("a"))], [Part.fine(1, Part.event("a"), hours: #""max_time_post_install_hours":48"#)]),
      ([Part.fine(1, Part.event("a"))], [Part.fine(1, Part.event("a"), hours: #""max_time_post_install_hours":900"#)]),
      (
        [Part.fine(1, Part.revenue(1, 5))],
        [Part.fine(1, Part.event("", #""event_revenue_range":{"min_event_revenue":"1","max_event_revenue":5.0}"#))]
      ),
      (
        [Part.fine(1, Part.count("a", 3, 3))], [Part.fine(1, Part.event("a", #""event_counter":"3""#))]
      ),
      (
        [Part.fine(1, Part.revenue(5, nil))],
        [Part.fine(1, Part.event("__REVENUE__", #""event_revenue_value":5"#))]
      ),
      // An entry that another one contains.
      ([Part.fine(1, Part.count("a", 2, nil))], [Part.fine(1, Part.count("a", 2, nil), Part.event("a"))]),
      // What no user can fulfil is like nothing.
      (
        [Part.fine(1, Part.event("a"))],
        [Part.fine(1, Part.event("a")), Part.fine(2, Part.count("a", 1, 2), Part.count("a", 3, 4))]
      ),
      // One value mapped twice, and both together.
      (
        [Part.fine(1, Part.count("a", 1, 2)), Part.fine(1, Part.count("a", 3, nil))], [Part.fine(1, Part.event("a"))]
      ),
    ])
  func same(old: [String], new: [String]) throws {
    #expect(try differences(Part.model(fine: old), Part.model(fine: new)) == [])
    #expect(try differences(Part.model(fine: new), Part.model(fine: old)) == [])
  }

  @Test("The examples are like themselves, and no two alike", arguments: Models.examples)
  func examples(name: String) throws {
    for other in Models.examples {
      #expect(try Models.example(name).differences(from: Models.example(other)).isEmpty == (name == other))
    }
  }

  @Test(
    "A measurement of all hours is none",
    arguments: [(839, ["measurement_window_hours: none → 839 h"]), (840, []), (841, [])])
  func measurement(hours: Int, expected: [String]) throws {
    let fine = [Part.fine(1, Part.event("a"))]
    #expect(
      try differences(Part.model(fine: fine), Part.model(fine: fine, #""measurement_window_hours":\#(hours)"#))
        == expected)
  }

  @Test("Every kind of difference, in order")
  func kinds() throws {
    let ladder = Part.window(1, low: Part.event("a"), lock: #""lock_window_event":"b""#)
    let old = Part.model(
      fine: [Part.fine(0, Part.event("z")), Part.fine(5, Part.revenue(1, 5)), Part.fine(7, Part.event("a"))],
      windows: [ladder], #""app_id":"1","measurement_window_hours":"72""#)
    let new = Part.model(
      fine: [
        Part.fine(5, Part.revenue(1, 6)), Part.fine(63, Part.event("a"), hours: #""min_time_post_install_hours":9"#),
      ],
      windows: [
        Part.window(1, high: Part.event("a")),
        Part.window(2, medium: Part.event("a"), lock: #""lock_window_coarse_conversion_value":"MEDIUM""#),
      ], #""app_id":"2","measurement_window_hours":900"#)
    #expect(
      try differences(old, new) == [
        "app_id: 1 → 2", "measurement_window_hours: 72 h → none", "fine value 0: z at least once → none",
        "fine value 5: revenue from 1 to below 5 USD → revenue from 1 to below 6 USD",
        "fine value 7: a at least once → none",
        "fine value 63: none → a at least once, from 9 h after the first call",
        "coarse value low of postback 1: a at least once → none",
        "coarse value high of postback 1: none → a at least once",
        "lock of postback 1: with the event b → none",
        "coarse value medium of postback 2: none → a at least once",
        "lock of postback 2: none → once coarse value medium is reached",
      ])
  }

  @Test("As JSON: removed, changed or added")
  func json() throws {
    let old = Part.model(fine: [Part.fine(1, Part.event("a")), Part.fine(2, Part.event("b"))])
    let new = Part.model(fine: [Part.fine(2, Part.event("c")), Part.fine(3, Part.event("b"))])
    let changes = try Models.read(new).differences(from: Models.read(old)).map { JSONWriter.text($0.json) }
    #expect(
      changes == [
        #"{"after":null,"before":"a at least once","change":"removed","value":"1","what":"fine value 1","window":0}"#,
        #"{"after":"c at least once","before":"b at least once","change":"changed","value":"2","what":"fine value 2","window":0}"#,
        #"{"after":"b at least once","before":null,"change":"added","value":"3","what":"fine value 3","window":0}"#,
      ])
  }

  @Test("As JSON: what is no value, a coarse value and a lock")
  func jsonOfOthers() throws {
    let window = Part.window(2, high: Part.event("a"), lock: #""lock_window_event":"b""#)
    let value = Part.fine(1, Part.event("a"))
    let changes = try Models.read(
      Part.model(fine: [value], windows: [window], #""app_id":"2","measurement_window_hours":72"#)
    )
    .differences(from: Models.read(Part.model(fine: [value]))).map { JSONWriter.text($0.json) }
    #expect(
      changes == [
        #"{"after":"2","before":null,"change":"added","value":null,"what":"app_id","window":null}"#,
        #"{"after":"72 h","before":null,"change":"added","value":null,"what":"measurement_window_hours","window":null}"#,
        #"{"after":"a at least once","before":null,"change":"added","value":"high","what":"coarse value high of postback 2","window":2}"#,
        #"{"after":"with the event b","before":null,"change":"added","value":null,"what":"lock of postback 2","window":2}"#,
      ])
  }

  @Test("A value that no user could get, and now can, is new")
  func dead() throws {
    let dead = Part.fine(2, Part.count("a", 1, 2), Part.count("a", 3, 4))
    #expect(
      try differences(Part.model(fine: [dead]), Part.model(fine: [Part.fine(2, Part.event("a"))])) == [
        "fine value 2: none → a at least once"
      ])
  }

  @Test("A currency, a kind of revenue, a count, and a threshold instead of a range make a difference")
  func small() throws {
    let base = Part.revenue(1, 5)
    for other in [
      Part.revenue(1, 5, currency: "EUR"), Part.revenue(1, 5, "__IAP_REVENUE__"), Part.revenue(1, nil),
      Part.revenue(1, 5, "a"), Part.revenue(2, 5), Part.event("a"),
    ] {
      #expect(
        try differences(Part.model(fine: [Part.fine(1, base)]), Part.model(fine: [Part.fine(1, other)])).count == 1)
    }
    // As users can be: one value holds in part of what the other's two do.
    let two = [Part.fine(1, Part.count("a", 1, 2)), Part.fine(1, Part.count("a", 4, nil))]
    #expect(
      try differences(Part.model(fine: two), Part.model(fine: [Part.fine(1, Part.event("a"))])) == [
        "fine value 1: a 1 to 2 times, or a at least 4 times → a at least once"
      ])
  }
}
