import Testing

@testable import SKANModel

@Suite("What a plan can know")
struct PlanOddityTests {
  private func oddities(_ text: String) throws -> [String] { try Models.read(text).problems.problems.map(\.message) }

  @Test(
    "Hours after the window of a value",
    arguments: [
      (47, []), (48, []), (49, ["fine value 1 asks for hours up to 49, but fine values belong to the first 48 hours"]),
      (168, ["fine value 1 asks for hours up to 168, but fine values belong to the first 48 hours"]),
      (839, ["fine value 1 asks for hours up to 839, but fine values belong to the first 48 hours"]),
      // No end at all.
      (840, []), (10_000, []),
    ])
  func hours(end: Int, messages: [String]) throws {
    let fine = Part.fine(1, Part.event("a"), hours: #""max_time_post_install_hours":\#(end)"#)
    #expect(try oddities(Part.model(fine: [fine])) == messages)
    #expect(try oddities(Part.model(fine: [fine], #""measurement_window_hours":\#(end)"#)) == [])
  }

  @Test("Hours after a later window")
  func laterHours() throws {
    let text = Part.model(windows: [Part.window(1, low: Part.event("a"))])
      .replacing(
        #""low_conversion_value_mapping":{"#,
        with: #""low_conversion_value_mapping":{"max_time_post_install_hours":200,"#)
    #expect(
      try oddities(text) == [
        "coarse value low of postback 1 asks for hours up to 200, but its window ends at 168 hours"
      ])
  }

  @Test(
    "The last hour of each window",
    arguments: [
      (0, 47, nil), (0, 48, "its hours are outside its window"), (1, 167, nil),
      (1, 168, "its hours are outside its window"), (2, 839, nil), (2, 840, "its hours are outside its window"),
    ])
  func lastHour(window: Int, start: Int, reason: String?) throws {
    let text = Part.model(windows: [Part.window(window, low: Part.event("a"))])
      .replacing(
        #""low_conversion_value_mapping":{"#,
        with: #""low_conversion_value_mapping":{"min_time_post_install_hours":\#(start),"#)
    #expect(try Models.read(text).unreachable.values.first == reason)
  }

  @Test("An event that comes once, in the first window")
  func single() throws {
    let reason = "is never reached: first_open comes once, in the first window"
    #expect(try oddities(Part.model(fine: [Part.fine(1, Part.event("first_open"))])) == [])
    #expect(
      try oddities(Part.model(fine: [Part.fine(1, Part.count("first_open", 2, nil))])) == ["fine value 1 \(reason)"])
    let window = Part.window(1, low: Part.event("first_open"), lock: #""lock_window_event":"first_open""#)
    let model = try Models.read(Part.model(windows: [window]))
    #expect(
      model.problems.problems.map(\.message) == [
        "coarse value low of postback 1 \(reason)",
        "the lock trigger of postback 1 is the event \"first_open\", which comes once, in the first window",
      ])
    #expect(model.unreachable == [.coarse(.low, .p1): "first_open comes once, in the first window"])
  }

  @Test("A higher fine value that stands for a lower coarse value")
  func contradiction() throws {
    let window = Part.window(0, low: Part.event("a"), medium: Part.event("b"), high: Part.event("c"))
    func model(_ events: String...) -> String {
      Part.model(fine: events.enumerated().map { Part.fine($0 + 1, Part.event($1)) }, windows: [window])
    }
    #expect(try oddities(model("a", "b", "c")) == [])
    // One that stands for none says nothing.
    #expect(try oddities(model("a", "z", "b", "c")) == [])
    #expect(
      try oddities(model("b", "a", "c")) == [
        "fine value 2 stands for coarse value low of postback 0, and the lower fine value 1 for medium: the two ladders "
          + "contradict each other"
      ])
  }

  @Test(
    "Names that the API reference does not allow, each once",
    arguments: [
      (String(repeating: "a", count: 32), nil),
      (String(repeating: "a", count: 33), "the event name has 33 characters, the API reference allows 32"),
      ("größe", "the event name is not ASCII, which the API reference asks for"),
      ("a+b", "the + in the event name is sent unescaped, and a server reads a space"),
    ])
  func names(name: String, message: String?) throws {
    let fine = [Part.fine(1, Part.event(name)), Part.fine(2, Part.count(name, 2, nil))]
    #expect(try oddities(Part.model(fine: fine)) == (message.map { ["event \"\(name)\": \($0)"] } ?? []))
    let window = Part.window(1, low: Part.event("a"), lock: #""lock_window_event":"\#(name)""#)
    #expect(try oddities(Part.model(windows: [window])) == (message.map { ["event \"\(name)\": \($0)"] } ?? []))
  }

  @Test("Fine values that no mapping gives are counted")
  func unused() throws {
    #expect(try Models.read(Part.model(windows: [Part.window(1, low: Part.event("a"))])).unusedFineValues == 0)
    let fine = [0, 1, 1, 63].map { Part.fine($0, Part.event("a")) }
    #expect(try Models.read(Part.model(fine: fine)).unusedFineValues == 61)
  }
}
