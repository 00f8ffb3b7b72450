import SKANDevice
import Testing

@testable import SKANModel

@Suite("What the reference endpoint answers to a report")
struct ForwardedAnswerTests {
  /// A report an hour after the first call, and the answer.
  private func answer(_ parameters: String, to endpoint: EndpointKind, _ model: String?) throws -> ForwardedAnswer {
    let reference = ReferenceEndpoint(
      defaultModel: try model.map { try Models.read($0) }, rates: try ExchangeRates(Array("{}".utf8)))
    var memory = InstallMemory.none
    let sent = try #require(SentParameters(Array(parameters.utf8)))
    let now = Instant(microseconds: (TestRequest.start + 3600) * 1_000_000)
    return reference.forwardedAnswer(to: sent, at: endpoint, now, memory: &memory)
  }

  private static let model = Part.model(
    fine: [Part.fine(9, Part.event("level"))], #""measurement_window_hours":24"#)
  private static let metadata =
    "&skan_first_call_to_skadnetwork_timestamp=\(TestRequest.start)&skan_last_call_to_skadnetwork_timestamp="
    + "\(TestRequest.start)&skan_current_conversion_value=0"
  private static let common = "a=k&p=iOS&i=com.example.app&ve=17.4"

  @Test(
    "A value comes from the metadata, whatever identifies the device",
    arguments: [
      (EndpointKind.event(.v1), "&idfv=v&n=level"), (.event(.v2), "&sdid=s&n=level"),
      (.event(.v2), "&sdid=s&idfa=f&n=level"),
    ])
  func value(endpoint: EndpointKind, own: String) throws {
    let answer = try answer(Self.common + own + Self.metadata, to: endpoint, Self.model)
    #expect(answer.value == 9 && answer.refusal == nil)
  }

  @Test(
    "What gives none, and why",
    arguments: [
      ("&idfv=v&n=level", "Accepted; without metadata there is no conversion_value."),
      (
        "&idfv=v&n=level\(metadata)".replacing(
          "timestamp=\(TestRequest.start)", with: "timestamp=\(TestRequest.start - 90_000)"),
        "Accepted, without a conversion_value: The model measures 24 hours (measurement_window_hours), and 26 have "
          + "passed."
      ),
      ("&n=level\(metadata)", "No device ID supplied; do not try again."),
    ])
  func none(own: String, explanation: String) throws {
    let answer = try answer(Self.common + own, to: .event(.v1), Self.model)
    #expect(answer.value == nil)
    #expect(answer.explanation == explanation)
  }

  @Test("Without a model there is no value") func withoutModel() throws {
    let answer = try answer("\(Self.common)&idfv=v&n=level\(Self.metadata)", to: .event(.v1), nil)
    #expect(answer.value == nil && answer.explanation == "Accepted; without a model there is no conversion_value.")
  }

  @Test(
    "An app without a model, and those that have one",
    arguments: [
      ([], "No --model is given."),
      (["com.example.app"], "The model is for com.example.app, not for com.example.ap; did you mean com.example.app?"),
      (["x", "y"], "The models are for x, y, not for com.example.ap."),
      (
        (1...7).map { "app\($0)" },
        "The models are for app1, app2, app3, app4, app5 and 2 more, not for com.example.ap."
      ),
    ])
  func otherApp(known: [String], explanation: String) {
    #expect(EndpointError.noModel("com.example.ap", known: known).explanation == explanation)
  }

  @Test("What a server must send of a phone's details, by iOS and by the model") func whatServer() {
    let needs = RequestParameter.all.compactMap { row in row.serverNeed.map { (row.name, $0) } }
    let expected: [String: RequestParameter.ServerNeed] = [
      "p1_coarse": .since(IOSVersion(16, 1)), "p2_coarse": .since(IOSVersion(16, 1)),
      "skan_total_revenue_by_currency": .models(.purchases), "skan_total_admon_revenue_by_currency": .models(.ads),
    ]
    #expect(Dictionary(needs) { $1 } == expected && needs.count == 4)
  }

  @Test("Metadata that cannot be read is left out") func metadataCannot() throws {
    func metadata(_ text: String) throws -> ForwardedMetadata {
      ForwardedMetadata(try #require(SentParameters(Array(text.utf8))))
    }
    let skan3 = try metadata("skan_conversion_value=7&skan_first_call_timestamp=0&skan_last_call_timestamp=x")
    #expect(skan3.hasSKAN3Names && !skan3.hasSKAN4Names)
    #expect(skan3.kept.skan3Value == 7 && skan3.kept.firstCall == nil && skan3.kept.lastCall == nil)
    // A name of the other snippet does not replace what is there.
    let both = try metadata(
      "skan_first_call_to_skadnetwork_timestamp=5&skan_first_call_timestamp=6&skan_last_call_timestamp=7")
    #expect(both.hasSKAN3Names && both.hasSKAN4Names)
    #expect(both.kept.firstCall == 5 && both.kept.lastCall == 7)
    let bare = try metadata("p0_coarse")
    #expect(bare.hasSKAN4Names && bare.kept.coarseValue[.p0] == nil)
    // A bare name has no value that could replace another.
    #expect(try metadata("p0_coarse=1&p0_coarse").kept.coarseValue[.p0]?.int64 == 1)
  }
}
