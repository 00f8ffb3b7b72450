import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Errors of the reference endpoint")
struct ReferenceErrorTests {
  /// A way to go wrong, in the documented order.
  enum Mistake: Int, CaseIterable, Comparable {
    case platform, parameter, model, closed, period, rate

    static func < (left: Mistake, right: Mistake) -> Bool { left.rawValue < right.rawValue }

    func reason(_ api: EndpointAPI) -> String {
      switch self {
      case .platform: "Unknown platform error"
      case .parameter: "Conversion Management: Invalid parameter idfv given"
      case .model: "Conversion Management: Conversion model not found for app: com.example.app"
      case .closed where api == .v1:
        "More than 24 hours since the last conversion update (25 hours), update window is closed"
      case .closed: "More than 24 hours since the last conversion update (0 hours), update window is closed"
      case .period: "Invalid measurement period: "
      case .rate: "Conversion Management: Can't find owner currency: GBP"
      }
    }
  }

  /// Makes all these mistakes in one request.
  private func reply(_ mistakes: [Mistake], _ api: EndpointAPI) throws -> TestReply {
    var model = try Models.example("iap-revenue")
    model.measurementHours = nil
    var hours = 30.0
    var request = TestRequest(api)
    if api == .v1 { request.values["last_call_to_skadnetwork_timestamp"] = String(TestRequest.start + 29 * 3600) }
    for mistake in mistakes {
      switch mistake {
      case .platform: request.values["p"] = "Android"
      case .parameter: request.values["idfv"] = nil
      case .model: break
      case .closed:
        hours = 840
        if api == .v1 { request.values["last_call_to_skadnetwork_timestamp"] = String(TestRequest.start + 815 * 3600) }
      case .period: model.measurementHours = 24
      case .rate:
        let key = api == .v2 ? "skan_total_revenue_by_currency" : "total_revenue_by_currency"
        request.values[key] = #"{"GBP":5}"#
      }
    }
    var phone = try TestPhone(mistakes.contains(.model) ? nil : model)
    let reply = phone.ask(request, hours: hours)
    return try #require(reply)
  }

  @Test("Each, and of two the earlier", arguments: EndpointAPI.allCases, Mistake.allCases)
  func order(api: EndpointAPI, first: Mistake) throws {
    for second in Mistake.allCases where second >= first {
      let reply = try self.reply([first, second], api)
      #expect(reply.status == "error")
      #expect(reply.reason?.hasPrefix(first.reason(api)) == true, "\(first), \(second): \(reply)")
      #expect(reply.fine == nil)
      #expect(!reply.explanation.isEmpty)
    }
  }

  @Test("None of them", arguments: EndpointAPI.allCases)
  func fine(api: EndpointAPI) throws { #expect(try reply([], api).status == "ok") }

  @Test("What the reason's hours leave out is reported")
  func age() throws {
    var phone = try TestPhone(try Models.example("sample"))
    #expect(
      phone.ask(TestRequest(), hours: 900)?.explanation
        == "The first call was 900 hours ago: the third window closes after 840.")
    #expect(
      phone.ask(TestRequest(.v1), hours: 30)?.explanation == "The last call was 30 hours ago: v1 closes after 24.")
  }

  @Test("A last call before the first is reported as such, also within the hour", arguments: [-1, -7200] as [Int64])
  func lastCallBeforeFirst(seconds: Int64) throws {
    var phone = try TestPhone(try Models.example("sample"))
    let request = TestRequest(
      .v2, ["skan_last_call_to_skadnetwork_timestamp": String(TestRequest.start + seconds)])
    #expect(phone.ask(request, hours: 1)?.explanation == "The last call is before the first.")
  }

  @Test("A model for the app goes before the one for all; its identifier is case-sensitive")
  func models() throws {
    let one = try Models.read(Part.model(fine: [Part.fine(1)]))
    let two = try Models.read(Part.model(fine: [Part.fine(2)]))
    var phone = try TestPhone(one)
    phone.endpoint = ReferenceEndpoint(models: ["com.example.other": two], defaultModel: one)
    #expect(phone.ask(TestRequest())?.fine == 1)
    #expect(phone.ask(TestRequest(.v2, ["i": "com.example.other"]))?.fine == 2)
    phone.endpoint = ReferenceEndpoint(models: ["com.example.other": two])
    #expect(
      phone.ask(TestRequest(.v2, ["i": "com.example.Other"]))?.reason
        == "Conversion Management: Conversion model not found for app: com.example.Other")
  }

  @Test("Rates are used", arguments: [(#"{"GBP":0.5}"#, 7), (#"{"GBP":0.1}"#, 12)] as [(String, Int64)])
  func rates(rates: String, fine: Int64) throws {
    var phone = try TestPhone(try Models.example("sample"), rates: rates)
    #expect(phone.ask(TestRequest(.v2, ["skan_total_revenue_by_currency": #"{"GBP":2}"#]))?.fine == fine)
    #expect(phone.ask(TestRequest(.v1, ["total_revenue_by_currency": #"{"GBP":2}"#]))?.fine == fine)
  }
}
