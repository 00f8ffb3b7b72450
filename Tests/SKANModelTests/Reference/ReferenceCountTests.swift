import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("What the reference endpoint counts and answers")
struct ReferenceCountTests {
  @Test("Sessions are counted for each window")
  func windows() throws {
    var phone = try TestPhone(try Models.example("engagement"))
    #expect((1...5).map { _ in phone.ask(TestRequest())?.fine } == [1, 2, 3, 3, 4])
    #expect(phone.counts[.p0] == ["__SESSION__": 5])
    #expect(phone.counts[.p1] == [:])
    let later = TestRequest(.v2, ["skan_current_conversion_value": "4"])
    #expect((1...3).map { _ in phone.ask(later, hours: 48)?.coarse } == [0, 0, 1])
    #expect(phone.counts[.p1] == ["__SESSION__": 3])
    #expect(phone.ask(later, hours: 168)?.coarse == 0)
    #expect(phone.counts[.p0] == ["__SESSION__": 5])
  }

  @Test("A refused request is not counted, whatever the reason")
  func refused() throws {
    var phone = try TestPhone(try Models.example("sample"))
    let refused = [
      TestRequest(.v2, ["p": nil]), TestRequest(.v2, ["idfv": nil]),
      TestRequest(.v2, ["skan_total_revenue_by_currency": #"{"GBP":5}"#]),
      TestRequest(.v2, ["skan_last_call_to_skadnetwork_timestamp": "5"]),
    ]
    for request in refused { #expect(phone.ask(request)?.status == "error") }
    #expect(phone.ask(TestRequest(), hours: 840)?.status == "error")
    #expect(phone.counts == .none)
  }

  @Test("Events by their exact names")
  func names() throws {
    var phone = try TestPhone(try Models.example("events"))
    #expect(phone.ask(TestRequest(.v2, ["n": "Subscribe"]))?.fine == 0)
    #expect(phone.ask(TestRequest(.v2, ["n": "subscribe"]))?.fine == 6)
    #expect(phone.counts[.p0] == ["subscribe": 1])
  }

  @Test("The body of v2: index, coarse value and lock when there are any")
  func v2() throws {
    var phone = try TestPhone(try Models.example("events"))
    #expect(
      phone.ask(TestRequest())?.body
        == #"{"conversion_value":1,"postback_sequence_index":0,"skan_updated_coarse_value":0,"status":"ok"}"#)
    #expect(
      phone.ask(TestRequest(.v2, ["n": "other"]), hours: 50)?.body
        == #"{"conversion_value":0,"postback_sequence_index":1,"status":"ok"}"#)
    let locking = phone.ask(TestRequest(.v2, ["n": "subscribe", "skan_current_conversion_value": "3"]), hours: 50)
    #expect(
      locking?.body
        == #"{"conversion_value":3,"postback_sequence_index":1,"skan_updated_coarse_value":2,"#
        + #""skan_updated_lock_window_value":true,"status":"ok"}"#)
    #expect(
      locking?.explanation
        == "subscribe for the 1st time in P1, 2d2h after the first call: fine value 3 as before, coarse high, locks the "
        + "window.")
  }

  @Test("An event that no mapping asks for is not counted, and that is reported")
  func notAsked() throws {
    var phone = try TestPhone(try Models.example("engagement"))
    for _ in 1...2 {
      #expect(
        phone.ask(TestRequest(.v2, ["n": "other"]))?.explanation
          == "other, for which no mapping asks, in P0, 1h after the first call: fine value 0 as before, no coarse value."
      )
    }
    #expect(phone.counts == .none)
  }

  @Test("The body of v1: the value alone, all the time one window")
  func v1() throws {
    var phone = try TestPhone(try Models.example("events"))
    #expect(phone.ask(TestRequest(.v1))?.body == #"{"conversion_value":1,"status":"ok"}"#)
    let changes = [
      "n": "subscribe", "conversion_value": "1",
      "last_call_to_skadnetwork_timestamp": String(TestRequest.start + 90 * 3600),
    ]
    #expect(phone.ask(TestRequest(.v1, changes), hours: 100)?.body == #"{"conversion_value":6,"status":"ok"}"#)
    #expect(phone.counts[.p0] == ["__SESSION__": 1, "subscribe": 1])
  }

  @Test(
    "Revenue: the window's own sums; the life-long total stands in for them in the first window alone",
    arguments: [
      (1, ["skan_total_revenue_by_currency": 5], 9, 1), (1, ["p0_total_iap_revenue": 5], 9, 1),
      (1, ["p0_total_iap_revenue": 1, "skan_total_revenue_by_currency": 5], 7, 0),
      (1, ["skan_total_admon_revenue_by_currency": 5], 9, 1), (1, ["p0_total_admon_revenue": 10], 12, 2),
      (1, ["p1_total_iap_revenue": 10], 1, 0), (50, ["skan_total_revenue_by_currency": 10], 0, 0),
      (50, ["p1_total_iap_revenue": 10], 0, 2), (50, ["p0_total_iap_revenue": 10], 0, 0),
      (200, ["p2_total_admon_revenue": 5], 0, 1),
    ] as [(Double, [String: Int], Int64, Int64)])
  func revenue(hours: Double, sums: [String: Int], fine: Int64, coarse: Int64) throws {
    var phone = try TestPhone(try Models.example("sample"))
    let reply = phone.ask(TestRequest(.v2, sums.mapValues { #"{"USD":\#($0)}"# }), hours: hours)
    #expect(reply?.fine == fine)
    #expect(reply?.coarse == coarse)
  }
}
