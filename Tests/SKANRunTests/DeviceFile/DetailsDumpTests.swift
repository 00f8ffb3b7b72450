import SKANDevice
import SKANBase
import SKANSystem
import SKANRun
import Testing

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
    let dump = JSONWriter.text(try SkanDetails(of: kept, snippet: .skan4).json)
    #expect(try read(dump) == kept)
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
