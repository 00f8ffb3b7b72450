import SKANBase
import SKANDevice
import SKANRun
import SKANSystem
import Testing

@Suite("The device file")
struct DeviceFileTests {
  private func device(_ change: (inout Device) -> Void = { _ in }) -> Device {
    var device = Device(DeviceProfile(idfv: "V"))
    change(&device)
    return device
  }

  private func read(_ text: String) throws -> DeviceFile { try DeviceFile(Array(text.utf8)) }

  /// The file with this text as what the app keeps.
  private func read(kept: String) throws -> KeptState {
    try read("{\"format\":1,\"profile\":{},\"kept\":{\(kept)}}").phone.device.kept
  }

  static let values: [(KeptValue, String)] = [
    (.integer(0), "0"), (.integer(5), "5"), (.integer(-5), "-5"), (.integer(.max), "9223372036854775807"),
    (.integer(.min), "-9223372036854775808"), (.integer(4_294_967_297), "4294967297"),
    (.unsigned(.max), "18446744073709551615"), (.double(1.7), "1.7"), (.double(-0.5), "-0.5"), (.double(5), "5.0"),
    (.double(-0.0), "-0.0"), (.double(1e300), "1e+300"), (.double(.leastNonzeroMagnitude), "5e-324"),
    (.double(.greatestFiniteMagnitude), "1.7976931348623157e+308"), (.double(0.1 + 0.2), "0.30000000000000004"),
    (.double(1e16), "1e+16"), (.double(9_007_199_254_740_992), "9007199254740992.0"), (.bool(true), "true"),
    (.bool(false), "false"), (.string("5"), "\"5\""), (.string(""), "\"\""),
    (.string("a\"\\\n\u{0}\u{7F}é\u{2028}😀/"), "\"a\\\"\\\\\\n\\u0000\\u007fé\\u2028😀/\""),
  ]

  @Test("Whatever an answer can leave comes back exactly as it went in", arguments: values)
  func keptValues(value: KeptValue, text: String) throws {
    let file = DeviceFile(
      device: device {
        $0.kept.fineValue = value
        $0.kept.previousFineValue = value
        $0.kept.coarseValue[.p1] = value
        $0.kept.previousCoarseValue[.p2] = value
      })
    #expect(file.text.contains("\"skan_current_conversion_value\": \(text),\n"))
    let again = try read(file.text)
    #expect(again == file)
    #expect(again.text == file.text)
    for key in [StoreEntry.fineValue, .previousFineValue, .coarseValue(.p1), .previousCoarseValue(.p2)] {
      guard case .value(let back)? = again.phone.device.kept.entry(key) else {
        Issue.record("\(key.name) is gone")
        continue
      }
      #expect(String(reflecting: back) == String(reflecting: value), "the kind and the sign of zero too")
    }
  }

  @Test(
    "A number that a person writes keeps its kind",
    arguments: [("5", "5"), ("5.0", "5.0"), ("50e-1", "5.0"), ("-0.0", "-0.0")])
  func byHand(written: String, kept: String) throws {
    let state = try read(kept: "\"p0_coarse\":\(written)")
    #expect(DeviceFile(device: device { $0.kept = state }).text.contains("\"p0_coarse\": \(kept)\n"))
  }

  @Test("Everything at once")
  func whole() throws {
    var file = DeviceFile(
      device: device {
        $0.profile.snippet = .skan3
        $0.profile.idfv = nil
        $0.profile.idfa = "A"
        $0.profile.build = .development
        $0.profile.clock = .developer
        $0.profile.seed = -7
        $0.profile.ad?.version = "3.0"
        $0.profile.ad?.campaign = .campaignID(42)
        $0.profile.ad?.source = .domain("example.com")
        $0.process.isLockHeld = true
        $0.process.launches = 9
        $0.kept.skan3Value = 64
        $0.kept.firstCall = 1
        $0.kept.lastCall = -2
        $0.kept.windowLock[.p2] = 3
        $0.kept.iapRevenue = RevenueTable([
          ("", 0), ("usd", -1.5), ("USD", Double(Float(9.99))), ("e\u{301}", 1), ("é", 2),
        ])
        $0.kept.adRevenue = RevenueTable()
        $0.kept.windowIAPRevenue[.p0] = RevenueTable([("USD", 1e-45)])
        $0.kept.windowAdRevenue[.p2] = RevenueTable([("USD", Double(Float.greatestFiniteMagnitude))])
      })
    file.phone.clock = PhoneClock(
      first: Instant(microseconds: 1), hasGivenTime: true, end: Instant(microseconds: 1_767_225_600_123_456),
      isVirtual: true)
    file.phone.testEndpoint.calls = 4
    let calls: [FrameworkCall] = [
      .register, .updateConversionValue(64), .updatePostback(fine: 0),
      .updatePostbackCoarse(fine: 1, coarse: nil, lock: false),
      .updatePostbackCoarse(fine: 2, coarse: .high, lock: true),
    ]
    file.callsBeforeHistory = calls.enumerated().map { index, call in
      RecordedCall(at: Instant(microseconds: Int64(index) * 500_000), call: call, error: index == 4 ? 10 : nil)
    }
    file.idempotencyKeys = ["a", "", "é", "e\u{301}"]
    let again = try read(file.text)
    #expect(again == file)
    #expect(again.text == file.text)
  }

  @Test("An organic install")
  func organic() throws {
    let file = DeviceFile(device: device { $0.profile.ad = nil })
    #expect(file.text.contains("\"ad\": false"))
    #expect(try read(file.text) == file)
  }

  @Test("What is absent has its default")
  func defaults() throws {
    let file = try read("{\"format\":1,\"profile\":{\"idfv\":\"V\"},\"kept\":{}}")
    #expect(file == DeviceFile(device: device()))
  }

  @Test("The text that a person reads")
  func text() {
    let text = DeviceFile(device: device { $0.kept.fineValue = .integer(0) }).text
    #expect(text.hasPrefix("{\n  \"format\": 3,\n  \"profile\": {\n    \"snippet\": \"skan4\",\n"))
    #expect(text.contains("  \"kept\": {\n    \"skan_current_conversion_value\": 0\n  },\n"))
    #expect(text.hasSuffix("\n}\n"))
  }
}

@Suite("A getSkanDetails dump")
struct DetailsDumpTests {
  private func read(_ text: String) throws -> KeptState { try DetailsDump.read(Array(text.utf8)) }

  @Test(
    "Numbers and their decimal texts",
    arguments: [
      ("\"12\"", .integer(12)), ("12", .integer(12)), ("\"-1\"", .integer(-1)), ("\"1.7\"", .double(1.7)),
      ("1.7", .double(1.7)), ("\"-0\"", .double(-0.0)), ("-0.0", .double(-0.0)), ("\"1e+300\"", .double(1e300)),
      ("\"18446744073709551615\"", .unsigned(.max)), ("\"4294967297\"", .integer(4_294_967_297)), ("true", .bool(true)),
      ("null", nil),
    ] as [(String, KeptValue?)])
  func values(text: String, value: KeptValue?) throws {
    for key in ["skan_current_conversion_value", "prev_fine_value", "p0_coarse", "p2_prev_coarse_value"] {
      let kept = try read("{\"\(key)\":\(text)}")
      let entry = try #require(StoreEntry.all.first { $0.name == key })
      #expect(String(reflecting: kept.entry(entry)) == String(reflecting: value.map(KeptState.Entry.value)))
    }
  }

  @Test("What the snippet gives for a store makes the same store")
  func roundTrip() throws {
    var kept = KeptState()
    kept.fineValue = .integer(12)
    kept.previousFineValue = .double(1.7)
    kept.coarseValue[.p0] = .double(-0.0)
    kept.windowLock[.p1] = 1_767_225_600
    kept.iapRevenue = RevenueTable([("USD", Double(Float(9.99))), ("a/b", -1)])
    kept.adRevenue = RevenueTable()
    kept.windowIAPRevenue[.p2] = RevenueTable([("", 0)])
    kept.firstCall = 1
    kept.lastCall = 2
    let dump = JSONWriter.text(try SkanDetails(of: kept, in: .v2).json)
    #expect(try read(dump) == kept)
  }

  /// A JSON value as `NSLog(@"%@", …)` prints it: names in order, quotes around what is more than letters and digits.
  private func logged(_ value: JSON, indent: Int = 0) -> String {
    func word(_ text: String) -> String {
      let isWord = !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetterOrDigit }
      return isWord ? text : "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    switch value {
    case .object(let members):
      let blanks = String(repeating: " ", count: indent)
      let lines = members.sorted { $0.key < $1.key }.map { key, value in
        let text = logged(value, indent: indent + 4)
        return "\(blanks)    \(word(key)) = \(text.hasPrefix("{") ? "    " : "")\(text);\n"
      }
      return "{\n\(lines.joined())\(blanks)}"
    case .string(let text): return word(text)
    case .null: return "\"<null>\""
    default: return word(JSONWriter.text(value))
    }
  }

  @Test("What NSLog prints is the same store as the JSON, with the beginning of its line and without")
  func log() throws {
    var kept = KeptState()
    kept.fineValue = .integer(12)
    kept.previousFineValue = .double(1.7)
    kept.coarseValue[.p0] = .integer(1)
    kept.iapRevenue = RevenueTable([("USD", Double(Float(9.99))), ("a/\"b", -1), ("", 0)])
    kept.windowIAPRevenue[.p2] = RevenueTable([("EUR", 0.25)])
    kept.firstCall = 1_767_225_600
    let json = try SkanDetails(of: kept, in: .v2).json
    let text = logged(json)
    #expect(text.contains(" = 12;") && text.contains("USD = \"9.98"), "\(text)")
    #expect(try read(text) == kept)
    #expect(try read("2026-11-27 12:00:00.123 App[12:345] \(text)\n") == kept)
    #expect(try read("{ \"p0_coarse\" = \"<null>\"; prev_fine_value = 3; }").previousFineValue == .integer(3))
  }

  @Test(
    "What is wrong with such a text, at its place",
    arguments: [
      ("{\n  p0_coarse = low;\n}", "low", "\"p0_coarse\" must be a number or its decimal text, this is \"low\""),
      (
        "{\n  p0_corse = 1;\n}", "p0_corse",
        "a getSkanDetails dump has no key \"p0_corse\"; did you mean \"p0_coarse\"?"
      ),
      (
        "{ skan_total_revenue_by_currency = { USD = \"a b\"; }; }", "\"a b\"",
        "a sum must be a number, this is \"a b\""
      ),
      ("{ p0_coarse = 1 }", "}", "expected \";\" after the value"),
      ("{ p0_coarse = 1; p1_coarse 2; }", "2", "expected \"=\" after the key"),
      ("{ p0_coarse = 1; } x", "x", "only one dictionary is read, and this follows it"),
      ("{ p0_coarse = \"1; }", "\"1; }", "a text has no end"),
      ("{ p0_coarse = 1;", "", "the dictionary has no end: \"}\" is missing"),
      ("{ p0_coarse = \"\\U12\"; }", "U12\";", "a text has an escape that is no character"),
      ("{ p0_coarse = ; }", ";", "expected a word or a text in quotes"),
    ])
  func brokenLog(text: String, place: String, message: String) {
    let problem = #expect(throws: SourceProblems.self) { try self.read(text) }?.problems.first
    #expect(problem?.message == message)
    let bytes = Array(text.utf8)
    #expect(problem.map { String(decoding: bytes[$0.range], as: UTF8.self) } == place)
  }

  @Test("Timestamps, revenue, and SKAN 3's value")
  func others() throws {
    let kept = try read(
      """
      {"skan_first_call_to_skadnetwork_timestamp":"1","skan_last_call_to_skadnetwork_timestamp":2,
       "p0_window_lock":"3","skan_conversion_value":"4","skan_total_revenue_by_currency":{"USD":5,"EUR":0.5}}
      """)
    #expect(kept.firstCall == 1 && kept.lastCall == 2 && kept.windowLock[.p0] == 3 && kept.skan3Value == 4)
    #expect(kept.iapRevenue == RevenueTable([("EUR", 0.5), ("USD", 5)]))
    #expect(try read("{}") == KeptState())
  }

  @Test("Timestamps in milliseconds, and others outside of the years that there are")
  func milliseconds() throws {
    let keys = StoreEntry.all.filter(\.isTimestamp)
    #expect(keys.count == 5)
    for key in keys {
      for number in ["1767225600000", "253402300800", "-62135596801"] {
        let message = "\"\(key.name)\" must be Unix seconds of the years 1 to 9999, this is \(number) (milliseconds?)"
        for text in [number, "\"\(number)\""] {
          let problems = #expect(throws: SourceProblems.self) { try read("{\"\(key.name)\":\(text)}") }
          #expect(problems?.problems.map(\.message) == [message])
        }
        #expect(
          deviceFileProblems("{\"format\":1,\"profile\":{},\"kept\":{\"\(key.name)\":\(number)}}").map(\.message)
            == [message])
      }
      #expect(try read("{\"\(key.name)\":253402300799}").entry(key) != nil)
    }
  }

  @Test(
    "What it cannot be",
    arguments: [
      ("[]", "a getSkanDetails dump must be an object, this is an array"),
      ("\"p0_coarse\"", "a getSkanDetails dump must be an object, this is a string"),
      ("{\"p0_coarse\":\"high\"}", "\"p0_coarse\" must be a number or its decimal text, this is \"high\""),
      ("{\"p0_coarse\":\"\"}", "\"p0_coarse\" must be a number or its decimal text, this is \"\""),
      ("{\"p0_coarse\":\"true\"}", "\"p0_coarse\" must be a number or its decimal text, this is \"true\""),
      ("{\"p0_coarse\":\"01\"}", "\"p0_coarse\" must be a number or its decimal text, this is \"01\""),
      ("{\"p0_coarse\":\"nan\"}", "\"p0_coarse\" must be a number or its decimal text, this is \"nan\""),
      ("{\"p0_coarse\":[]}", "\"p0_coarse\" must be a number, a boolean or a string, this is an array"),
      ("{\"p0_coars\":\"1\"}", "a getSkanDetails dump has no key \"p0_coars\"; did you mean \"p0_coarse\"?"),
      ("{\"p0_window_lock\":\"1.5\"}", "\"p0_window_lock\" must be whole Unix seconds, this is 1.5"),
      ("{\"p0_total_iap_revenue\":{\"USD\":\"1\"}}", "a sum must be a number, this is \"1\""),
      ("{\"p0_total_iap_revenue\":{\"USD\":1e39}}", "a sum must fit a single-precision number (up to 3.4e38)"),
      ("{\"p0_coarse\":1,}", "not JSON: a comma before the closing bracket"),
    ])
  func bad(text: String, message: String) throws {
    let error = #expect(throws: SourceProblems.self) { try read(text) }
    #expect(error?.problems.map(\.message) == [message])
  }

  @Test("Several problems at once, with their locations")
  func several() throws {
    let text = "{\"p0_coarse\":\"low\",\n\"p9_coarse\":1,\n\"p1_window_lock\":true}"
    let error = #expect(throws: SourceProblems.self) { try read(text) }
    let indices = error?.problems.map { TextLocation(of: $0.range, in: Array(text.utf8)) }
    #expect(indices?.map(\.line) == [1, 2, 3])
    #expect(indices?.map(\.column) == [14, 1, 18])
  }
}

@Suite("The device file: what Apple holds, and what happened")
struct DeviceFileFrameworkTests {
  private static let beginning = Instant(microseconds: 1_767_225_600_250_000)

  private static func after(_ hours: Int64) -> Instant {
    Instant(microseconds: beginning.microseconds + hours * 3_600_000_000)
  }

  private func read(_ text: String) throws -> DeviceFile { try DeviceFile(Array(text.utf8)) }

  private static func good(_ answer: String) -> SnippetAnswer {
    SnippetAnswer(.response(status: 200, body: Array(answer.utf8)))
  }

  /// A phone with everything that Apple can hold for an ad of this version.
  private static func file(_ version: String?) -> DeviceFile {
    var profile = DeviceProfile(idfv: "V")
    profile.ad?.version = version ?? "4.0"
    if version == nil { profile.ad = nil } else if version != "4.0" { profile.ad?.campaign = .campaignID(42) }
    var device = Device(profile)
    device.framework.launched(at: beginning)
    _ = device.register(at: after(1))
    let coarse = #"{"conversion_value":5,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true}"#
    for hours: Int64 in [2, 50, 60, 200] {
      _ = device.beginUpdate(at: after(hours))
      _ = device.finishUpdate(good(hours == 60 ? #"{"conversion_value":6}"# : coarse), at: after(hours))
    }
    return DeviceFile(device: device)
  }

  @Test("What Apple holds comes back as it was", arguments: ["4.0", "3.0", "2.0", nil])
  func framework(version: String?) throws {
    let file = Self.file(version)
    #expect((file.phone.device.framework == AppleFramework()) == false)
    let again = try read(file.text)
    #expect(again == file && again.phone.device.framework == file.phone.device.framework)
    #expect(again.text == file.text)
  }

  @Test("The text of it")
  func text() {
    let text = Self.file("4.0").text
    #expect(
      text.contains(
        """
          "framework": {
            "first_launch": 1767225600.25,
            "first_update": 1767229200.25,
            "latest_call": 1767945600.25,
            "version": "4.0",
            "p0": {
              "updated": true,
              "fine": 5,
              "coarse": "high",
              "locked_at": 1767232800.25
            },
            "p1": {
              "updated": true,
              "coarse": "high",
              "locked_at": 1767405600.25
            },

        """))
    #expect(Self.file("3.0").text.contains("    \"timer_start\": 1767232800.25,\n"))
  }

  static let history: [LifeEvent] = {
    let fates = CallFate.Kind.allCases
    let outcomes = Outcome.allCases
    let calls: [FrameworkCall?] = [
      .register, .updateConversionValue(64), .updatePostback(fine: 0),
      .updatePostbackCoarse(fine: 1, coarse: nil, lock: false),
      .updatePostbackCoarse(fine: 2, coarse: .high, lock: true),
      nil,
    ]
    let kinds: [LifeEvent.Kind] = [
      .register, .session, .event(""), .event("e\u{301}\n\"😀"), .update, .relaunch,
      .revenue(amount: -9.99, currency: "USD", isAdMonetization: true),
      .revenue(amount: 1e-300, currency: "", isAdMonetization: false),
    ]
    let accounts: [LifeEvent.Account?] = [
      nil, .init(answeredBy: nil, warnings: []), .init(answeredBy: "model a\n\"b\".json", warnings: [.detailsStale]),
      .init(answeredBy: "", warnings: WarningCode.allCases), .init(answeredBy: nil, warnings: [.oddType, .oddType]),
    ]
    return (0..<max(fates.count, outcomes.count, calls.count, kinds.count)).map { index in
      let call = calls[index % calls.count]
      let kind = kinds[index % kinds.count]
      // Each moment that an update has, and none before it is missing.
      let moments = (0..<4).map { $0 <= index % 5 ? after(Int64($0)).later(by: TimeSpan(microseconds: 50_000)) : nil }
      let course = moments[0].map {
        LifeEvent.Course(calledAt: $0, requestedAt: moments[1], answeredAt: moments[2], completedAt: moments[3])
      }
      return LifeEvent(
        at: after(Int64(index)), kind, outcomes[index % outcomes.count], call: call,
        fate: call.map { _ in fates[index % fates.count] }, error: call != nil && index % 3 == 0 ? 10 : nil,
        account: accounts[index % accounts.count], course: index % 5 < 4 && kind.isUpdate ? course : nil)
    }
  }()

  static let deliveries: [Delivery] = [
    Delivery(
      at: after(1), transactionID: "52edafaf", window: .p0, recipient: .network, url: "http://localhost/",
      result: .answered(status: 100)),
    Delivery(
      at: after(2), transactionID: "52edafaf", window: .p1, recipient: .developer, url: "https://example.com/a?",
      result: .answered(status: 999)),
    Delivery(
      at: after(3), transactionID: "", window: .p2, recipient: .network, url: "", result: .failed("nobody\nanswered")),
  ]

  @Test("Every kind of event and delivery comes back")
  func records() throws {
    var file = Self.file("4.0")
    file.history = Self.history
    file.deliveries = Self.deliveries
    let again = try read(file.text)
    #expect(again == file && again.history == Self.history && again.deliveries == Self.deliveries)
    #expect(again.text == file.text, "written again it is the same text")
  }

  @Test("A format 1 file: what Apple holds is told by its calls, and it is written as format 3")
  func format1() throws {
    var file = Self.file("4.0")
    file.callsBeforeHistory = [
      RecordedCall(at: Self.after(1), call: .updatePostback(fine: 0), error: nil),
      RecordedCall(at: Self.after(2), call: .updatePostbackCoarse(fine: 5, coarse: .high, lock: true), error: nil),
      RecordedCall(at: Self.after(3), call: .updatePostbackCoarse(fine: 9, coarse: .low, lock: true), error: 10),
      RecordedCall(at: Self.after(50), call: .updatePostbackCoarse(fine: 5, coarse: .high, lock: true), error: nil),
      RecordedCall(at: Self.after(60), call: .updatePostbackCoarse(fine: 6, coarse: nil, lock: false), error: nil),
      RecordedCall(at: Self.after(200), call: .updatePostbackCoarse(fine: 5, coarse: .high, lock: true), error: nil),
    ]
    let old = try read(Self.asFormat1(file))
    #expect(old.phone.device.framework.held == file.phone.device.framework.held)
    #expect(old.phone.device.framework.firstUpdate == file.phone.device.framework.firstUpdate)
    #expect(old.phone.device.framework.firstLaunch == nil, "it is not known any more")
    #expect(old.history == [] && old.deliveries == [] && old.phone.device.kept == file.phone.device.kept)
    #expect(old.text.hasPrefix("{\n  \"format\": 3,\n"))
    #expect(try read(old.text) == old)
  }

  @Test("A format 1 file without its calls: what Apple holds is assumed from what the app keeps")
  func assumed() throws {
    let file = Self.file("4.0")
    let old = try read(Self.asFormat1(file))
    let held = old.phone.device.framework.held
    #expect(held[.p0].fine == 5 && held[.p0].coarse == .high && held[.p0].lockedAt?.wholeSeconds == 1_767_232_800)
    #expect(held[.p1].coarse == nil && held[.p1].lockedAt?.wholeSeconds == 1_767_405_600)
    #expect(held[.p2].coarse == .high && old.phone.device.framework.version == .v4)
    let organic = try read(Self.asFormat1(Self.file(nil)))
    #expect(organic.phone.device.framework == AppleFramework())
  }

  @Test("A format 2 file: its calls are those of its history, but for the ones before it")
  func format2() throws {
    var file = Self.file("4.0")
    file.callsBeforeHistory = [
      RecordedCall(at: Self.after(1), call: .updatePostback(fine: 0), error: 7),
      RecordedCall(at: Self.after(2), call: .updatePostback(fine: 1), error: nil),
    ]
    let call = FrameworkCall.updatePostbackCoarse(fine: 5, coarse: .high, lock: true)
    file.history = [
      LifeEvent(at: Self.after(3), .register, .registered),
      LifeEvent(at: Self.after(4), .session, .updated, call: call, fate: .refused, error: 10),
      LifeEvent(at: Self.after(5), .session, .updated, call: call, fate: .taken),
    ]
    let calls =
      file.callsBeforeHistory + [
        RecordedCall(at: Self.after(4), call: call, error: 10), RecordedCall(at: Self.after(5), call: call, error: nil),
      ]
    #expect(try read(Self.asFormat2(file, calls)) == file)
    // One that a person has changed keeps all of its calls.
    for changed in [Array(calls.dropLast()), calls.reversed(), Array(calls.suffix(1))] {
      let kept = try read(Self.asFormat2(file, changed))
      #expect(kept.callsBeforeHistory == changed && kept.history.map(\.error) == [nil, nil, nil])
      #expect(try read(kept.text) == kept)
    }
  }

  /// The same file as format 2 had it: with a list of all calls, and no error in the history.
  private static func asFormat2(_ file: DeviceFile, _ calls: [RecordedCall]) throws -> String {
    guard case .object(let members) = try JSONReader.read(Array(file.text.utf8)).value else { return "" }
    let old = members.filter { $0.key != "framework_calls" }.map { key, value -> (key: String, value: JSON) in
      switch (key, value) {
      case ("format", _): return (key, .integer(2))
      case ("history", .array(let events)): return (key, .array(events.map(withoutError)))
      default: return (key, value)
      }
    }
    return JSONWriter.text(.object(old + [("framework_calls", .array(calls.map(\.json)))]))
  }

  private static func withoutError(_ event: JSON) -> JSON {
    guard case .object(let members) = event else { return event }
    return .object(members.filter { $0.key != "error" })
  }

  /// The same file as it was written before there was a framework in it.
  private static func asFormat1(_ file: DeviceFile) throws -> String {
    guard case .object(let members) = try JSONReader.read(Array(file.text.utf8)).value else { return "" }
    let old = members.filter { !["framework", "history", "deliveries"].contains($0.key) }
      .map { ($0.key, $0.key == "format" ? .integer(1) : $0.value) }
    return JSONWriter.text(.object(old))
  }
}

extension LifeEvent.Kind {
  fileprivate var isUpdate: Bool {
    switch self {
    case .session, .event: true
    default: false
    }
  }
}
