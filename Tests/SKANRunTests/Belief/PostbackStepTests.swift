import SKANBase
import Testing

@testable import SKANRun

@Suite("The step postbacks")
struct PostbackStepTests {
  private static func life(_ device: String, _ at: String, _ expect: String) -> [String] {
    [
      #"{"op":"device"\#(device)}"#, #"{"op":"register"}"#,
      #"{"op":"session","at":"+1h","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":1}}}"#,
      #"{"op":"session","at":"+3d","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true}}}"#,
      #"{"op":"postbacks","at":"\#(at)","expect":{\#(expect)}}"#,
    ]
  }

  private static let old = #","ad":{"version":"3.0"}"#

  @Test(
    "Expectations",
    arguments: [
      ("", "+3d1m", #""postbacks.0.state":"scheduled","postbacks.1.state":"scheduled","postbacks.2.state":"open""#),
      ("", "+4d", #""postbacks.0.state":"sent","postbacks.1.prepared_at":1767484800"#),
      ("", "+60d", #""postbacks.1.state":"sent","postbacks.2.state":"not-sent","postbacks.3":null,"outcome":"read""#),
      ("", "+60d", #""postbacks.0.body.conversion-value":12,"postbacks.1.body.coarse-conversion-value":"high""#),
      ("", "+60d", #""postbacks.0.sequence_index":0,"postbacks.2.body":null,"window":-1,"apple.window":-1"#),
      (#","ad":{"tier":0}"#, "+60d", #""postbacks.0.body.source-identifier":"39","postbacks.1.state":"not-sent""#),
      (#","ad":{"won":false}"#, "+60d", #""postbacks.0.body.did-win":false,"postbacks.1.state":"not-sent""#),
      (#","ad":false"#, "+60d", #""postbacks":[]"#),
      (#","build":"development""#, "+60d", #""postbacks.0.state":"not-sent","postbacks.2.state":"not-sent""#),
      (
        #","ios":"18.0","clock":"developer""#, "+60d",
        #""postbacks.0.body.conversion-value":0,"postbacks.1.state":"not-sent""#
      ),
      (old, "+60d", #""postbacks.0.body.campaign-id":42,"postbacks.0.body.version":"3.0","postbacks.1":null"#),
      (old, "+60d", #""postbacks.0.body.conversion-value":12,"postbacks.0.body.source-app-id":1234567891"#),
      (#","snippet":"skan3""#, "+60d", #""postbacks.0.body.conversion-value":12,"postbacks.1.state":"not-sent""#),
    ])
  func expectations(device: String, at: String, expect: String) throws {
    let result = try #require(try runList(Self.life(device, at, expect)).last)
    #expect(!result.step.expectations.isEmpty)
    let json = result.json
    for expectation in result.step.expectations {
      let verdict = expectation.verdict(on: json)
      #expect(verdict.isMet, "\(JSONWriter.text(verdict.json))")
    }
  }

  @Test("An expectation that is not met says what was found")
  func failing() throws {
    let result = try #require(try runList(Self.life("", "+60d", #""postbacks.0.state":"open""#)).last)
    let verdict = try #require(result.step.expectations.first).verdict(on: result.json)
    #expect(!verdict.isMet && verdict.actual == .string("sent"))
  }

  @Test("Each has these keys, and only this operation tells of them")
  func keys() throws {
    let results = try runList(Self.life("", "+3d1m", ""))
    for result in results.dropLast() { #expect(result.json.value(at: "postbacks") == nil && result.postbacks == nil) }
    guard case .array(let items)? = results.last?.json.value(at: "postbacks") else {
      Issue.record("no array")
      return
    }
    #expect(items.count == 3)
    for item in items {
      guard case .object(let members) = item else { continue }
      #expect(
        members.map(\.key) == [
          "sequence_index", "state", "why", "prepared_at", "earliest", "latest", "sends_at", "body",
        ])
    }
  }

  @Test("It changes nothing but the time")
  func pure() throws {
    let results = try runList(Self.life("", "+3d1m", ""))
    #expect(results[4].device == results[3].device)
  }

  @Test("Phones in one list draw for themselves, and the same phone alike")
  func phones() throws {
    let lines = ["a", "b"].flatMap { name in
      [
        #"{"op":"device","device":"\#(name)","idfv":null}"#, #"{"op":"register","device":"\#(name)"}"#,
        #"{"op":"postbacks","device":"\#(name)","at":"+60d"}"#,
      ]
    }
    let bodies = try (runList(lines) + runList(lines)).compactMap(\.postbacks?.first)
    #expect(bodies.count == 4 && bodies[0] != bodies[1])
    #expect(bodies[0] == bodies[2] && bodies[1] == bodies[3])
  }
}
