import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("A coarse value never falls")
struct KeptCoarseTests {
  /// Fine 1 stands for low, 20 for high, 30 for none: it needs no event of the ladder's.
  private static let model = Part.model(
    fine: [
      Part.fine(1, Part.event("__SESSION__")), Part.fine(10, Part.event("trial")), Part.fine(20, Part.event("buy")),
      Part.fine(30, Part.event("other")), Part.fine(40, Part.event("buy"), hours: #""max_time_post_install_hours":5"#),
      Part.fine(50, Part.count("buy", 2, 3)),
    ],
    windows: (0...2).map {
      Part.window($0, low: Part.event("__SESSION__"), medium: Part.event("trial"), high: Part.event("buy"))
    })

  private func ask(_ changes: [String: String?], hours: Double) throws -> TestReply {
    var phone = try TestPhone(try Models.read(Self.model))
    let reply = phone.ask(TestRequest(.v2, changes), hours: hours)
    return try #require(reply)
  }

  @Test(
    "In the first window: what the fine value stands for, whatever p0_coarse says",
    arguments: [
      ("0", nil, 0), ("1", nil, 0), ("10", nil, 1), ("20", nil, 2), ("20", "0", 2), ("30", "2", 0), ("40", nil, 2),
      ("50", nil, 2), ("63", "2", 0),
    ] as [(String, String?, Int64)])
  func first(fine: String, stated: String?, coarse: Int64) throws {
    // A session: without what the phone had the answer were low.
    let reply = try ask(["skan_current_conversion_value": fine, "p0_coarse": stated], hours: 10)
    #expect(reply.coarse == coarse)
    #expect(reply.explanation.contains(", for which fine value \(fine) stands") == (coarse > 0))
  }

  @Test(
    "In later windows: what the request states of that window",
    arguments: [
      (50, ["p1_coarse": "2"], "__SESSION__", 2, true), (50, ["p1_coarse": "0"], "__SESSION__", 0, false),
      (50, ["p1_coarse": "0"], "trial", 1, false), (50, ["p1_coarse": "1"], "nothing", 1, true),
      (50, ["p2_coarse": "2"], "__SESSION__", 0, false), (50, ["p0_coarse": "2"], "nothing", nil, false),
      (200, ["p2_coarse": "1"], "nothing", 1, true), (200, ["p1_coarse": "2"], "nothing", nil, false),
      (200, ["p2_coarse": "1"], "buy", 2, false),
    ] as [(Double, [String: String], String, Int64?, Bool)])
  func later(hours: Double, stated: [String: String], event: String, coarse: Int64?, isKept: Bool) throws {
    var changes: [String: String?] = stated.mapValues { $0 }
    changes["n"] = event
    changes["skan_current_conversion_value"] = "20"
    let reply = try ask(changes, hours: hours)
    #expect(reply.coarse == coarse)
    #expect(reply.explanation.contains(" as before.") == isKept || reply.explanation.contains("no coarse value"))
  }

  @Test("A kept value reaches the trigger of a lock")
  func lock() throws {
    let model = Part.model(windows: [
      Part.window(
        1, low: Part.event("a"), high: Part.event("b"), lock: #""lock_window_coarse_conversion_value":"HIGH""#)
    ])
    var phone = try TestPhone(try Models.read(model))
    #expect(phone.ask(TestRequest(.v2, ["n": "a"]), hours: 50)?.locks == false)
    #expect(phone.ask(TestRequest(.v2, ["n": "a", "p1_coarse": "2"]), hours: 50)?.locks == true)
  }
}
