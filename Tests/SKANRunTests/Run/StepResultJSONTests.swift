import SKANDevice
import SKANHTTP
import SKANBase
import Testing

@testable import SKANRun

@Suite("A result as JSON")
struct StepResultJSONTests {
  static let keys: Set<String> = [
    "apple", "device", "op", "label", "at", "ended_at", "outcome", "explanation", "window", "request", "answer",
    "answered_by",
    "forwarded", "framework",
    "handler", "details_before", "details_in_handler", "details", "lock_held", "crash", "warnings",
  ]
  /// One step of each kind, and one of each end.
  static let list = [
    #"{"op":"device","idfv":"V","label":"install"}"#, #"{"op":"session"}"#, #"{"op":"register"}"#, #"{"op":"details"}"#,
    #"{"op":"session","answer":{"json":{"conversion_value":5,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true}},"took":0.5}"#,
    #"{"op":"event","name":"a+b","answer":{"error":"timed out"}}"#,
    #"{"op":"event","name":"n","answer":{"base64":"/w=="}}"#,
    #"{"op":"revenue","amount":9.99,"currency":"EUR"}"#, #"{"op":"session","answer":{"json":[]}}"#,
    #"{"op":"session","answer":{"json":{"conversion_value":64}}}"#, #"{"op":"session"}"#, #"{"op":"relaunch"}"#,
    #"{"op":"update","snippet":"skan3"}"#, #"{"op":"session"}"#, #"{"op":"session"}"#,
    #"{"op":"update","snippet":"skan4"}"#, #"{"op":"session","answer":{"json":{"conversion_value":"5"}}}"#,
    #"{"op":"details"}"#,
  ]

  @Test("Every result has these keys and no others")
  func keySet() throws {
    for result in try runList(Self.list) {
      guard case .object(let members) = result.json else {
        Issue.record("no object")
        return
      }
      #expect(members.count == Self.keys.count)
      #expect(Set(members.map(\.key)) == Self.keys)
    }
    let more: Set = ["file", "line", "expectations", "postbacks", "endpoint_explanation"]
    #expect(Set(StepResult.keys) == Self.keys.union(more))
  }

  @Test("A result reads back as itself, on one line")
  func readable() throws {
    for result in try runList(Self.list) {
      let text = JSONWriter.text(result.json)
      #expect(!text.contains("\n"))
      #expect(try JSONReader.read(Array(text.utf8)).value == result.json)
    }
  }

  @Test(
    "Values",
    arguments: [
      (0, "op", #""device""#), (0, "label", #""install""#), (0, "device", #""""#), (0, "outcome", #""set""#),
      (0, "window", "-1"),
      (0, "details", "{}"), (0, "request", "null"), (0, "framework", "[]"), (0, "warnings", "[]"),
      (1, "outcome", #""not-registered""#), (1, "label", "null"), (1, "warnings.0.code", #""dropped-unregistered""#),
      (1, "warnings.0.level", #""finding""#),
      (2, "framework", #"[{"call":"updatePostbackConversionValue","fine":0}]"#), (2, "at", "1767225600"),
      (2, "window", "0"),
      (4, "framework", #"[{"call":"updatePostbackConversionValue","fine":5,"coarse":"high","lock":true}]"#),
      (4, "handler", #"{"fine":5,"coarse":2,"lock":true,"error":null}"#), (4, "at", "1767225600"),
      (4, "ended_at", "1767225600.5"),
      (
        4, "request.url",
        #""https://sdk-api-v1.singular.net/api/v2/conversion_value?a=REDACTED&v=17.4&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=V&skan_current_conversion_value=0&skan_last_call_to_skadnetwork_timestamp=1767225600&skan_first_call_to_skadnetwork_timestamp=1767225600""#
      ),
      (4, "query.n", #""__SESSION__""#), (4, "query.a", #""REDACTED""#), (4, "details_before.p0_coarse", "null"),
      (4, "details.p0_coarse", #""2""#),
      (4, "details.p0_window_lock", #""1767225600""#), (4, "answer.status", "200"),
      (5, "answer", #"{"error":"timed out"}"#),
      (5, "handler", #"{"fine":null,"coarse":null,"lock":false,"error":"timed out"}"#),
      (5, "query.n", #""a+b""#), (5, "warnings.0.code", #""plus-in-name""#),
      (6, "answer", #"{"status":200,"base64":"/w=="}"#),
      (7, "details.skan_total_revenue_by_currency.EUR", "9.9899997711181641"),
      (
        8, "crash",
        #"{"reason":"-[__NSArrayM objectForKey:]: unrecognized selector sent to instance (the answer is a JSON array)"}"#
      ),
      (8, "handler", "null"), (8, "answer", #"{"status":200,"text":"[]"}"#), (9, "lock_held", "true"),
      (10, "outcome", #""blocked""#), (10, "request", "null"),
      (11, "lock_held", "false"), (12, "window", "0"), (13, "outcome", #""not-higher""#),
      (13, "query.conversion_value", "null"),
      (13, "answer", #"{"status":200,"text":"{\"conversion_value\":0,\"status\":\"ok\"}"}"#),
      (14, "framework", #"[{"call":"updateConversionValue","fine":1}]"#), (14, "handler", #"{"fine":1,"error":null}"#),
      (14, "details.skan_conversion_value", #""1""#), (16, "handler.fine", #""5""#), (16, "details", "null"),
      (17, "outcome", #""crashed""#),
      (17, "details_before", "null"),
    ])
  func values(index: Int, path: String, expected: String) throws {
    let results = try runList(Self.list)
    let verdict = Expected(path: path, expected: try JSONReader.read(Array(expected.utf8)).value).verdict(
      on: results[index].json)
    #expect(verdict.isMet, "\(verdict.actual)")
  }

  @Test("SKAN 3's register, and its handler with an error")
  func skan3() throws {
    let results = try runList([
      #"{"op":"device","snippet":"skan3"}"#, #"{"op":"register"}"#, #"{"op":"session","answer":{"text":""}}"#,
      #"{"op":"session","at":"+1d"}"#,
    ])
    #expect(
      results[1].json["framework"] == .array([.object([("call", .string("registerAppForAdNetworkAttribution"))])]))
    #expect(
      results[2].json["handler"]
        == .object([("fine", .integer(-1)), ("error", .string("Failed parsing server response"))]))
    #expect(results[3].json["window"] == .integer(-1))
    #expect(results.map(\.report.hasFinding) == [false, false, false, false])
  }

  @Test(
    "The key is in no result, though it goes out",
    arguments: ["production", "http://a/x"])
  func key(name: String) throws {
    nonisolated(unsafe) var asked: [String] = []
    let endpoint =
      name == "production"
      ? Endpoint.production : .custom(v1: try EndpointURL(name, api: .v1), v2: try EndpointURL(name, api: .v2))
    let answerer = RemoteAnswerer(endpoint, sdkKey: "SECRET") { request, _ in
      asked.append(request.target.text)
      return .failure("none")
    }
    let runner = StepRunner(answerer)
    let results = try runList([#"{"op":"register"}"#, #"{"op":"session"}"#], runner: runner)
    #expect(asked.count == 1 && asked.first?.contains("a=SECRET&v=17.4") == true)
    for result in results { #expect(!JSONWriter.text(result.json).contains("SECRET")) }
    #expect(results[1].exchange?.url.hasPrefix("\(endpoint.address(for: .skan4))?a=REDACTED&") == true)
  }

  @Test(
    "Moments: whole seconds are integers",
    arguments: [(0.0, "1767225600"), (0.5, "1767225600.5"), (0.000_001, "1767225600.000001")])
  func moments(seconds: Double, expected: String) {
    #expect(JSONWriter.text(moment(seconds).json) == expected)
  }
}
