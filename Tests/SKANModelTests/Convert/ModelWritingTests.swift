import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("What another form can say of a model")
struct ModelWritingTests {
  private static let aliases = ["session_start": "__SESSION__", "in_app_purchase": "__REVENUE__"]

  /// `PLACE: message` of each loss, and of each remark after `~ `.
  private func lost(_ text: String, _ reduce: (ConversionModel) -> ReducedModel) throws -> [String] {
    let reduced = try reduce(Models.read(text))
    return reduced.losses.map { Models.lines($0.problem, in: text) }
      + reduced.remarks.map { "~ \(Models.lines($0, in: text))" }
  }

  // MARK: - CSV

  @Test("A table has a row for each entry, in the order of the values")
  func table() throws {
    let text = Part.model(
      fine: [
        Part.fine(9, Part.revenue(0.5, 20, "buy", currency: "EUR"), Part.count("__SESSION__", 3, nil)),
        Part.fine(0, Part.count("a, \\\"b\\\"", 1, 2)), Part.fine(5, Part.revenue(nil, 1e-7)),
        Part.fine(6, Part.event("__IAP_REVENUE__"), Part.event("a"), Part.event("a")),
        Part.fine(7, Part.revenue(1e21, nil)),
      ], windows: [Part.window(1, low: Part.event("a"), high: Part.revenue(5, nil, "__ADMON_REVENUE__"))])
    let reduced = try ModelTable.reduced(Models.read(text))
    #expect(reduced.losses.isEmpty && reduced.remarks == [] && reduced.missing == nil)
    let table = ModelTable.text(reduced.model)
    #expect(
      table == """
        window,value,coarse,event,min_count,max_count,min_revenue,max_revenue,currency
        0,0,,"a, ""b""\",1,2,,,
        0,5,,,,,,0.0000001,USD
        0,6,,__IAP_REVENUE__,,,,,USD
        0,6,,a,,,,,
        0,7,,,,,1000000000000000000000,,USD
        0,9,,buy,,,0.5,20,EUR
        0,9,,__SESSION__,3,,,,
        1,,low,a,,,,,
        1,,high,__ADMON_REVENUE__,,,5,,USD

        """)
    let back = try ModelTable.read(Array(table.utf8), currency: nil, hint: "")
    #expect(try back.differences(from: Models.read(text)) == [])
  }

  @Test(
    "What a table cannot say, and what it just can",
    arguments: [
      (
        Part.model(fine: [Part.fine(1, Part.event("a"))], #""app_id":"7""#),
        ["{: app_id is lost: a CSV table does not name the app (7)"]
      ),
      (
        Part.model(fine: [Part.fine(1, Part.event("a"))], #""measurement_window_hours":839"#),
        ["839: measurement_window_hours is lost: a CSV table has no end of the measurement (839 h)"]
      ),
      (Part.model(fine: [Part.fine(1, Part.event("a"))], #""measurement_window_hours":840"#), []),
      (
        Part.model(fine: [Part.fine(1, Part.event("a"), hours: #""max_time_post_install_hours":47"#)]),
        ["{\"fine_grained_conversio…: fine value 1 is lost: a CSV table has no hours (within 47 h of the first call)"]
      ),
      (Part.model(fine: [Part.fine(1, Part.event("a"), hours: #""max_time_post_install_hours":48"#)]), []),
      (
        Part.model(fine: [
          Part.fine(1, Part.event("a"), hours: #""min_time_post_install_hours":48"#), Part.fine(2, Part.event("b")),
        ]),
        ["~ {\"fine_grained_conversio…: left out: a mapping of fine value 1, which no user can fulfil"]
      ),
      (
        Part.model(fine: [Part.fine(1), Part.fine(2, Part.event("a"))]),
        [
          "{\"fine_grained_conversio…: fine value 1 is lost: a CSV table asks for an event or revenue, and everyone "
            + "has this value"
        ]
      ),
      (
        Part.model(fine: [Part.fine(1, Part.event("a")), Part.fine(1, Part.event("b"))]),
        [
          "{\"fine_grained_conversio…: fine value 1 is lost: a CSV table has one mapping for a value, and this one has 2"
        ]
      ),
      (Part.model(fine: [Part.fine(1, Part.count("a", 2, 3)), Part.fine(1, Part.event("a"))]), []),
      (
        Part.model(fine: [Part.fine(1, Part.event("=a")), Part.fine(2, Part.event("a=b c"))]),
        [
          "{\"fine_grained_conversio…: fine value 1 is lost: a CSV table does not keep the name \"=a\": blanks around it are lost, "
            + "and a spreadsheet takes =, +, - or @ at its beginning for a formula"
        ]
      ),
      (
        Part.model(fine: [
          Part.fine(1, Part.revenue(1, nil, currency: "usd")), Part.fine(2, Part.event("a", #""currency_code":"usd""#)),
        ]),
        [
          "{\"fine_grained_conversio…: fine value 1 is lost: a CSV table has currencies of three capital letters (\"usd\")"
        ]
      ),
      (
        Part.model(windows: [
          Part.window(2, low: Part.event("a"), lock: #""lock_window_coarse_conversion_value":"LOW""#)
        ]),
        ["\"LOW\": lock of postback 2 is lost: a CSV table has no locks (once coarse value low is reached)"]
      ),
    ] as [(String, [String])])
  func lostInTable(text: String, lost: [String]) throws {
    let found = try self.lost(text) { ModelTable.reduced($0) }
    #expect(found == lost)
  }

  // MARK: - Google Analytics

  /// The messages of losses and remarks, without the remarks on what the API requires, which most of these models lack.
  private func messages(_ text: String, currency: String? = nil) throws -> [String] {
    let writer = AnalyticsWriter(aliases: Self.aliases, currency: currency)
    let reduced = try writer.reduced(Models.read(text))
    return (reduced.losses.map(\.problem) + reduced.remarks).map(\.message)
      .filter { !$0.contains("the API's reference requires") }
  }

  @Test(
    "What a schema cannot say, and what it just can",
    arguments: [
      (
        [Part.fine(1, Part.event("__ADMON_REVENUE__"))],
        [
          "fine value 1 is lost: Google Analytics' schema has amounts of events, and no __ADMON_REVENUE__: --event-alias "
            + "EVENT=__ADMON_REVENUE__ names the one that stands for it"
        ]
      ),
      (
        [Part.fine(1, Part.event("__SESSION__")), Part.fine(2, Part.event("__REVENUE__"))],
        ["amounts are in the currency of the property, which must be USD"]
      ),
      (
        [Part.fine(1, Part.event("session_start"))],
        [
          "fine value 1 is lost: Google Analytics' schema has \"session_start\" for __SESSION__, as --event-alias says, and this is "
            + "another event"
        ]
      ),
      (
        [Part.fine(1, Part.event("a"), Part.event("b"), Part.event("c"), Part.event("d"))],
        ["fine value 1 is lost: Google Analytics' schema has at most 3 events for a value, here 4"]
      ),
      ([Part.fine(1, Part.event("a"), Part.event("b"), Part.event("c"))], []),
      (
        [
          Part.fine(1, Part.event(String(repeating: "n", count: 41))),
          Part.fine(2, Part.event(String(repeating: "m", count: 40))),
        ],
        [
          "fine value 1 is lost: Google Analytics' schema has names of at most 40 UTF-16 units, and "
            + "\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\" has 41"
        ]
      ),
      (
        [Part.fine(1, Part.revenue(1, 2, currency: "EUR")), Part.fine(2, Part.revenue(2, nil, currency: "USD"))],
        [
          "fine value 1 is lost: Google Analytics' schema has amounts in the currency of the property, and here are EUR and "
            + "USD: --currency CODE says which it is",
          "fine value 2 is lost: Google Analytics' schema has amounts in the currency of the property, and here are EUR and "
            + "USD: --currency CODE says which it is",
        ]
      ),
      (
        [Part.fine(1, Part.revenue(1, 2, "buy")), Part.fine(2, Part.revenue(2, nil, "buy"))],
        [
          "amounts are in the currency of the property, which must be USD",
          "revenue of the window is written as amounts of \"buy\"",
        ]
      ),
      (
        [Part.fine(1, Part.revenue(1, 2, "buy")), Part.fine(2, Part.revenue(2, nil))],
        [
          "fine value 1 is lost: Google Analytics' schema has amounts of each event; those of one event can stand for "
            + "the window's revenue, but "
            + "here they are of \"in_app_purchase\" and \"buy\"",
          "amounts are in the currency of the property, which must be USD",
        ]
      ),
      (
        [Part.fine(1, Part.count("a", 2, nil)), Part.fine(2, Part.event("a"))],
        [
          "fine value 1 is lost: Google Analytics' schema takes the first value that holds, and higher ones hold whenever this one "
            + "does"
        ]
      ),
      ([Part.fine(1, Part.event("a")), Part.fine(2, Part.count("a", 2, nil))], []),
    ] as [([String], [String])])
  func lostInSchema(fine: [String], lost: [String]) throws {
    let found = try messages(Part.model(fine: fine))
    #expect(found == lost)
  }

  @Test("Amounts in another currency than the property's")
  func currencies() throws {
    let text = Part.model(fine: [
      Part.fine(1, Part.revenue(1, 2, currency: "EUR")), Part.fine(2, Part.revenue(2, nil)),
      Part.fine(3, Part.revenue(3, nil, currency: "GBP"), Part.revenue(4, nil)),
    ])
    #expect(
      try messages(text, currency: "EUR") == [
        "fine value 2 is lost: Google Analytics' schema has amounts in the currency of the property, EUR, and this is USD",
        "fine value 3 is lost: Google Analytics' schema has amounts in the currency of the property, EUR, and this is GBP",
        "amounts are in the currency of the property, which must be EUR",
      ])
  }

  /// The subjects of the losses of a model with fine values 1 (`a`), 2 (revenue 1 to 5), 3 (5 to 9) and 4 (9 and more).
  private func lostSubjects(_ windows: [String]) throws -> [String] {
    let fine = [
      Part.fine(1, Part.event("a")), Part.fine(2, Part.revenue(1, 5)), Part.fine(3, Part.revenue(5, 9)),
      Part.fine(4, Part.revenue(9, nil)),
    ]
    let model = try Models.read(Part.model(fine: fine, windows: windows))
    return AnalyticsWriter(aliases: Self.aliases, currency: nil).reduced(model).losses.map(
      \.subject.name)
  }

  @Test(
    "Coarse values and locks that a schema cannot say, and those that it just can",
    arguments: [
      // Values 2 and 3 together.
      (Part.window(0, low: Part.event("a"), medium: Part.revenue(1, 9), high: Part.revenue(9, nil)), []),
      (Part.window(0, low: Part.event("a"), medium: Part.revenue(1, 9)), ["coarse value low of postback 0"]),
      (Part.window(0, high: Part.revenue(9, nil)), []),
      (Part.window(0, high: Part.revenue(8, nil)), ["coarse value high of postback 0"]),
      (Part.window(0, low: Part.event("b")), ["coarse value low of postback 0"]),
      (
        Part.window(0, low: Part.event("a"), lock: #""lock_window_event":"a""#),
        ["coarse value low of postback 0", "lock of postback 0"]
      ),
      (Part.window(0, lock: #""lock_window_fine_conversion_value":3"#), []),
      // No user can have 5; the first that is reached is the trigger.
      (Part.window(0, lock: #""lock_window_fine_conversion_value":5"#), ["lock of postback 0"]),
      (
        Part.window(
          0, medium: Part.revenue(5, 9), high: Part.revenue(9, nil),
          lock: #""lock_window_coarse_conversion_value":"MEDIUM""#), []
      ),
      (Part.window(0, high: Part.revenue(9, nil), lock: #""lock_window_coarse_conversion_value":"MEDIUM""#), []),
      (
        Part.window(0, high: Part.revenue(8, nil), lock: #""lock_window_coarse_conversion_value":"HIGH""#),
        ["coarse value high of postback 0", "lock of postback 0"]
      ),
      (
        Part.window(
          1, low: Part.event("b"), high: Part.event("c"), lock: #""lock_window_coarse_conversion_value":"HIGH""#), []
      ),
      (Part.window(1, low: Part.count("b", 2, nil), high: Part.event("b")), ["coarse value low of postback 1"]),
      (Part.window(1, low: Part.event("b"), lock: #""lock_window_fine_conversion_value":3"#), ["lock of postback 1"]),
      (Part.window(2, low: Part.event("b"), lock: #""lock_window_event":"b""#), ["lock of postback 2"]),
    ] as [(String, [String])])
  func coarse(window: String, lost: [String]) throws {
    let found = try lostSubjects([window])
    #expect(found == lost)
  }

  @Test("What the API requires of a schema is remarked")
  func requirements() throws {
    func remarks(_ windows: [String]) throws -> [String] {
      let text = Part.model(fine: [Part.fine(1, Part.event("a")), Part.fine(2, Part.event("b"))], windows: windows)
      return try AnalyticsWriter(aliases: [:], currency: nil).reduced(Models.read(text)).remarks.map(
        \.message)
    }
    let required = "the API's reference requires a"
    #expect(
      try remarks([]) == ["\(required) coarse value of each value, and fine values 1 and 2 of window one have none"])
    let every = Part.window(0, low: Part.event("a"), high: Part.event("b"))
    #expect(
      try remarks([every]) == [
        "\(required) value in windows two and three, which otherwise take the values of window one"
      ])
    let later = [1, 2].map { Part.window($0, low: Part.event("a")) }
    #expect(try remarks([every] + later) == [])
  }

  @Test("A model without fine values cannot be a schema")
  func noFine() throws {
    let model = try Models.read(Part.model(windows: [Part.window(1, low: Part.event("a"))]))
    #expect(AnalyticsWriter(aliases: [:], currency: nil).reduced(model).missing != nil)
    #expect(ModelTable.reduced(model).missing == nil)
  }

  @Test("An amount from 0 on without an end can be said by neither")
  func anyAmount() {
    var model = ConversionModel()
    var mapping = ValueMapping()
    mapping.events = [MappedEvent(name: "a", revenue: RevenueCondition(min: 0))]
    model.fine = [ConversionModel.FineMapping(value: 1, mapping: mapping)]
    #expect(ModelTable.reduced(model).losses.count == 1)
    #expect(AnalyticsWriter(aliases: [:], currency: nil).reduced(model).losses.count == 1)
  }
}
