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

@Suite("What a valid model cannot say")
struct ModelLimitTests {
  @Test("The examples say it all", arguments: Models.examples)
  func examples(name: String) throws { #expect(try Models.example(name).limits.isEmpty) }

  private static func coarse(_ windows: Int...) -> [String] { windows.map { Part.window($0, low: Part.event("a")) } }

  @Test(
    "Warnings with codes",
    arguments: [
      ([Part.fine(1, Part.event("a"))], [], nil, [ModelWarning.noCoarseValue]),
      ([Part.fine(1, Part.event("a"))], coarse(0, 1, 2), nil, []),
      ([Part.fine(1, Part.event("a"))], coarse(1, 2), nil, [.windowWithoutCoarse]),
      ([Part.fine(1, Part.event("a"))], coarse(0), nil, [.windowWithoutCoarse, .windowWithoutCoarse]),
      // The measurement ends before the window begins, or just after.
      ([Part.fine(1, Part.event("a"))], coarse(0), 48, []),
      ([Part.fine(1, Part.event("a"))], coarse(0), 49, [.windowWithoutCoarse]),
      ([], coarse(0, 1, 2), nil, [.coarseWithoutFine]), ([], coarse(1, 2), nil, [.windowWithoutCoarse]),
      ([Part.fine(1, Part.revenue(4.99, nil))], coarse(0, 1, 2), nil, [.boundaryAtPrice]),
      // Single precision holds 5, rounds 0.99 up and 9.99 down; an end is no boundary of its own.
      ([Part.fine(1, Part.revenue(5, nil))], coarse(0, 1, 2), nil, []),
      ([Part.fine(1, Part.revenue(0.99, nil))], coarse(0, 1, 2), nil, []),
      ([Part.fine(1, Part.revenue(5, 9.99))], coarse(0, 1, 2), nil, []),
      // Both are rounded down; one looks like a price.
      ([Part.fine(1, Part.revenue(0.90, nil))], coarse(0, 1, 2), nil, [.boundaryAtPrice]),
      ([Part.fine(1, Part.revenue(0.48, nil))], coarse(0, 1, 2), nil, []),
    ] as [([String], [String], Int64?, [ModelWarning])])
  func limits(fine: [String], coarse: [String], hours: Int64?, expected: [ModelWarning]) throws {
    var model = try Models.read(Part.model(fine: fine, windows: coarse))
    model.measurementHours = hours
    #expect(model.limits.map(\.warning) == expected)
    #expect(model.limits.allSatisfy { $0.problem.message.hasSuffix(" [\($0.warning.rawValue)]") })
  }
}
