import Testing

@testable import SKANModel

@Suite("What is odd about a readable model")
struct ModelOddityTests {
  /// Messages of ``ConversionModel/problems``.
  private func oddities(_ text: String) throws -> [String] { try Models.read(text).problems.problems.map(\.message) }

  @Test("The examples have none", arguments: Models.examples)
  func examples(name: String) throws { #expect(try Models.example(name).problems.problems == []) }

  @Test(
    "Fine values",
    arguments: [
      ([Part.fine(1, Part.event("a")), Part.fine(1, Part.event("b"))], ["fine value 1 is mapped twice"]),
      (
        [Part.fine(1, Part.revenue(1, 5)), Part.fine(2, Part.revenue(4, 9))],
        ["fine value 2 overlaps fine value 1 in its revenue range"]
      ), ([Part.fine(1, Part.revenue(1, 5)), Part.fine(2, Part.revenue(5, 9))], []),
      (
        [Part.fine(1, Part.revenue(1, 5)), Part.fine(2, Part.revenue(6, 9))],
        ["fine value 1 leaves a gap: revenue from 5 to 6 has no value"]
      ),
      (
        [Part.fine(1, Part.count("a", 1, 3)), Part.fine(2, Part.count("a", 3, 4))],
        ["fine value 2 overlaps fine value 1 in its count range"]
      ), ([Part.fine(1, Part.count("a", 1, 3)), Part.fine(2, Part.count("a", 4, 4))], []),
      (
        [Part.fine(1, Part.count("a", 1, 3)), Part.fine(2, Part.count("a", 5, nil))],
        ["fine value 1 leaves a gap: counts from 4 to 4 have no value"]
      ),
      // Ladders without upper ends are meant to overlap.
      ([Part.fine(1, Part.revenue(1, nil)), Part.fine(2, Part.revenue(5, nil))], []),
      (
        [Part.fine(1, Part.revenue(5, nil)), Part.fine(2, Part.revenue(1, nil))],
        ["fine value 1 is never reached: fine value 2 holds whenever it does"]
      ),
      (
        [Part.fine(3, Part.event("a"), Part.event("b")), Part.fine(4, Part.event("a"))],
        ["fine value 3 is never reached: fine value 4 holds whenever it does"]
      ), ([Part.fine(3, Part.event("a")), Part.fine(4, Part.event("a"), Part.event("b"))], []),
      (
        [Part.fine(1, Part.event("a"), hours: #""max_time_post_install_hours":9"#), Part.fine(2, Part.event("a"))],
        ["fine value 1 is never reached: fine value 2 holds whenever it does"]
      ),
      ([Part.fine(1, Part.event("a")), Part.fine(2, Part.event("a"), hours: #""max_time_post_install_hours":9"#)], []),
      // Hidden by several together.
      (
        [
          Part.fine(1, Part.event("a")), Part.fine(2, Part.count("a", 1, 3)), Part.fine(3, Part.count("a", 4, nil)),
        ], ["fine value 1 is never reached: whenever it holds, fine value 2 or fine value 3 does"]
      ),
      (
        [Part.fine(1, Part.event("a")), Part.fine(2, Part.count("a", 2, 3)), Part.fine(3, Part.count("a", 4, nil))], []
      ),
      (
        [
          Part.fine(1, Part.revenue(2, 6)), Part.fine(2, Part.revenue(1, 5)), Part.fine(3, Part.revenue(5, nil)),
          Part.fine(4, Part.event("b")),
        ],
        [
          "fine value 1 is never reached: whenever it holds, fine value 2 or fine value 3 does",
          "fine value 2 overlaps fine value 1 in its revenue range",
        ]
      ),
      (
        [
          Part.fine(1, Part.event("a")),
          Part.fine(2, Part.event("a"), hours: #""max_time_post_install_hours":9"#),
          Part.fine(3, Part.event("a"), hours: #""min_time_post_install_hours":9"#),
        ], ["fine value 1 is never reached: whenever it holds, fine value 2 or fine value 3 does"]
      ),
      (
        [
          Part.fine(1, Part.event("a")),
          Part.fine(2, Part.event("a"), hours: #""max_time_post_install_hours":9"#),
          Part.fine(3, Part.event("a"), Part.event("b"), hours: #""min_time_post_install_hours":9"#),
        ], []
      ),
      (
        [Part.fine(1, Part.count("a", 1, 2), Part.count("a", 3, 4))],
        ["fine value 1 is never reached: its conditions exclude each other"]
      ),
      // Other hours, other currencies, other names: other ladders.
      (
        [
          Part.fine(1, Part.revenue(1, 5), hours: #""max_time_post_install_hours":9"#),
          Part.fine(2, Part.revenue(4, 9), hours: #""min_time_post_install_hours":9"#),
        ], []
      ), ([Part.fine(1, Part.revenue(1, 5)), Part.fine(2, Part.revenue(4, 9, currency: "EUR"))], []),
      ([Part.fine(1, Part.revenue(1, 5)), Part.fine(2, Part.revenue(4, 9, "__IAP_REVENUE__"))], []),
    ])
  func fine(mappings: [String], words: [String]) throws {
    #expect(try oddities(Part.model(fine: mappings)) == words)
  }

  @Test("A model that measures for too short is the cause, once, where it says so")
  func measurement() throws {
    let text = Part.model(
      fine: [
        Part.fine(1, Part.event("a")), Part.fine(2, Part.event("b"), hours: #""min_time_post_install_hours":40"#),
      ],
      windows: (1...2).map { Part.window($0, low: Part.event("a"), medium: Part.event("b"), high: Part.event("c")) },
      #""measurement_window_hours":40"#)
    let problems = try Models.read(text).problems.problems
    #expect(
      problems.map { Models.lines($0, in: text) } == [
        "40: measurement_window_hours is 40, and from then on every request is refused: fine value 2, coarse value low of "
          + "postback 1, coarse value medium of postback 1, coarse value high of postback 1 and 3 more can never come"
      ])
    let model = try Models.read(text)
    #expect(model.unreachable.count == 7)
    #expect(model.unreachable[.coarse(.low, .p2)]?.hasPrefix("measurement_window_hours is 40") == true)
    #expect(model.tables[0].rows.map { $0.never == nil } == [true, false])
  }

  @Test("Hours that a measurement period cuts in part, and hours outside the window")
  func hours() throws {
    let hours = #""min_time_post_install_hours":60"#
    #expect(
      try oddities(Part.model(fine: [Part.fine(1, Part.event("a"), hours: hours)], #""measurement_window_hours":40"#))
        == ["fine value 1 is never reached: its hours are outside its window"])
  }

  @Test("Many mappings are told of in few words")
  func many() throws {
    let same = (0..<200).map { _ in Part.fine(1, Part.count("a", 1, 3)) }
    #expect(try oddities(Part.model(fine: same)) == ["fine value 1 is mapped 200 times"])
    let all = (0..<2000).map { Part.fine($0 % 64, Part.count("a", 1, 3)) }
    #expect(try oddities(Part.model(fine: all)).count == 100)
    let long = (0..<3000).map { Part.count("e\($0)", 1, nil) }
    let event = "[\(long.joined(separator: ","))]"
    let text = (1...3).map {
      #"{"fine_grained_conversion_value":\#($0),"conversion_value_mapping":{"mapped_events":\#(event)}}"#
    }
    #expect(try oddities(Part.model(fine: text)).count == 2)
  }

  @Test("A currency that is none", arguments: ["usd", "EURO", "$", "€€€", "U1D"])
  func currency(code: String) throws {
    #expect(
      try oddities(Part.model(fine: [Part.fine(1, Part.revenue(1, nil, currency: code))]))
        == ["fine value 1 has \"\(code)\" for a currency: three capital letters, such as USD"])
  }

  @Test(
    "Coarse ladders and locks",
    arguments: [
      (Part.window(1, low: Part.revenue(1, 5), medium: Part.revenue(5, 9), high: Part.revenue(9, nil)), []),
      (
        Part.window(1, low: Part.revenue(5, 9), medium: Part.revenue(1, 5)),
        [
          "coarse value medium of postback 1 asks for less than coarse value low of postback 1: the ladder is not monotonic"
        ]
      ),
      (
        Part.window(2, low: Part.count("a", 3, 4), high: Part.count("a", 1, 2)),
        [
          "coarse value high of postback 2 asks for less than coarse value low of postback 2: the ladder is not monotonic"
        ]
      ),
      (
        Part.window(0, low: Part.event("a"), lock: #""lock_window_coarse_conversion_value":"HIGH""#),
        ["the lock trigger of postback 0 is coarse value high, which the window lacks"]
      ),
      (
        Part.window(0, low: Part.event("a"), lock: #""lock_window_fine_conversion_value":5"#),
        ["the lock trigger of postback 0 is fine value 5, which no mapping gives"]
      ),
      (
        Part.window(1, low: Part.event("a"), lock: #""lock_window_fine_conversion_value":5"#),
        ["the lock trigger of postback 1 is fine value 5, but fine values belong to postback 0"]
      ), (Part.window(1, low: Part.event("a"), lock: #""lock_window_event":"b""#), []),
    ])
  func windows(window: String, words: [String]) throws { #expect(try oddities(Part.model(windows: [window])) == words) }

  @Test("Each stands at its mapping, in the order of the file")
  func indices() throws {
    let first = Part.fine(1, Part.revenue(1, 5))
    let second = Part.fine(2, Part.revenue(6, nil, currency: "usd"))
    let third = Part.fine(1, Part.event("a"))
    let text = Part.model(fine: [first, second, third])
    let bytes = Array(text.utf8)
    let indices = try Models.read(text).problems.problems.map { String(decoding: bytes[$0.range], as: UTF8.self) }
    #expect(indices == [second, third])
  }

  @Test(
    "A lock trigger that never fires is reported where it stands",
    arguments: [("coarse", "\"HIGH\""), ("fine", "5")])
  func lockPlace(kind: String, value: String) throws {
    let lock = "\"lock_window_\(kind)_conversion_value\":\(value)"
    let text = Part.model(
      fine: [Part.fine(1, Part.event("a"))], windows: [Part.window(0, low: Part.event("a"), lock: lock)])
    let problems = try Models.read(text).problems.problems
    #expect(problems.map { Models.lines($0, in: text).prefix { $0 != ":" } } == [Substring(value)])
  }
}
