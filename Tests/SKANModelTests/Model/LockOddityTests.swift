import Testing

@testable import SKANModel

@Suite("Locks that fire before what they should measure")
struct LockOddityTests {
  private func oddities(_ fine: [String], _ window: String) throws -> [String] {
    try Models.read(Part.model(fine: fine, windows: [window])).problems.problems.map(\.message)
  }

  private let ladder = [
    Part.fine(1, Part.event("a")), Part.fine(2, Part.revenue(1, 5)), Part.fine(3, Part.revenue(5, 9)),
    Part.fine(4, Part.revenue(9, nil)),
  ]

  @Test(
    "A fine value: those above it that ask for revenue",
    arguments: [
      (4, []), (3, ["fine value 4"]), (2, ["fine value 3 and fine value 4"]),
      (1, ["fine value 2, fine value 3 and fine value 4"]),
    ])
  func fine(value: Int, lost: [String]) throws {
    let lock = #""lock_window_fine_conversion_value":\#(value)"#
    #expect(
      try oddities(ladder, Part.window(0, low: Part.event("b"), lock: lock))
        == lost.map {
          "the lock trigger of postback 0 is fine value \(value): once it locks, \($0) can no longer come"
        })
  }

  @Test("Fine values without revenue may be given up")
  func engagement() throws {
    let fine = [Part.fine(1, Part.count("a", 1, 1)), Part.fine(2, Part.count("a", 2, nil))]
    let lock = #""lock_window_fine_conversion_value":1"#
    #expect(try oddities(fine, Part.window(0, low: Part.event("b"), lock: lock)) == [])
  }

  @Test("A coarse value of the first window: the fine values within it but for the lowest, and higher coarse ones")
  func coarse() throws {
    func window(_ lock: String) -> String {
      Part.window(
        0, low: Part.event("a"), medium: Part.revenue(1, 9), high: Part.revenue(9, nil),
        lock: #""lock_window_coarse_conversion_value":"\#(lock)""#)
    }
    #expect(try oddities(ladder, window("HIGH")) == [])
    #expect(
      try oddities(ladder, window("MEDIUM")) == [
        "the lock trigger of postback 0 is coarse value medium: once it locks, fine value 3, fine value 4 and coarse value "
          + "high of postback 0 can no longer come"
      ])
  }

  @Test("A coarse value of a later window")
  func later() throws {
    func window(_ lock: String) -> String {
      Part.window(
        2, low: Part.event("a"), medium: Part.event("b"), high: Part.revenue(9, nil),
        lock: #""lock_window_coarse_conversion_value":"\#(lock)""#)
    }
    #expect(try oddities([], window("HIGH")) == [])
    #expect(
      try oddities([], window("LOW")) == [
        "the lock trigger of postback 2 is coarse value low: once it locks, coarse value high of postback 2 can no longer come"
      ])
  }

  @Test(
    "An event: revenue that it does not bring itself, and the event once more",
    arguments: [
      ([Part.fine(1, Part.revenue(1, nil, "buy")), Part.fine(2, Part.event("a"))], nil),
      ([Part.fine(1, Part.event("buy")), Part.fine(2, Part.count("buy", 2, nil))], "fine value 2"),
      ([Part.fine(1, Part.event("buy")), Part.fine(2, Part.revenue(1, nil))], "fine value 2"),
      ([Part.fine(1, Part.event("buy")), Part.fine(2, Part.revenue(1, nil, "other"))], "fine value 2"),
    ])
  func event(fine: [String], lost: String?) throws {
    let window = Part.window(0, low: Part.event("a"), lock: #""lock_window_event":"buy""#)
    let expected = lost.map {
      "the lock trigger of postback 0 is the event \"buy\": once it locks, \($0) can no longer come"
    }
    #expect(try oddities(fine, window) == (expected.map { [$0] } ?? []))
  }

  @Test("What can never come is not lost")
  func dead() throws {
    let fine = [
      Part.fine(1, Part.event("a")), Part.fine(2, Part.revenue(1, nil), hours: #""min_time_post_install_hours":60"#),
    ]
    let window = Part.window(0, low: Part.event("b"), lock: #""lock_window_fine_conversion_value":1"#)
    #expect(try oddities(fine, window) == ["fine value 2 is never reached: its hours are outside its window"])
  }

  @Test("An event that locks a later window, and locks without any value")
  func eventAlone() throws {
    let lock = #""lock_window_event":"buy""#
    #expect(
      try oddities([], Part.window(1, low: Part.event("a"), high: Part.revenue(9, nil), lock: lock)) == [
        "the lock trigger of postback 1 is the event \"buy\": once it locks, coarse value high of postback 1 can no longer come"
      ])
    #expect(try oddities([], Part.window(2, lock: lock)) == ["the model has lock triggers and no values"])
  }
}
