import Foundation
import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Writing a step")
struct StepWriterTests {
  @Test(
    "Members in their documented order, those at their default left out",
    arguments: [
      (#"{"op":"details"}"#, nil), (#"{ "op":"relaunch", "device":"", "expect":{} }"#, #"{"op":"relaunch"}"#),
      (
        #"{"skip":"later","expect":{"outcome":"read","at":{"$between":[1,2.0]}},"label":"é","device":"a","after":90,"op":"details"}"#,
        #"{"op":"details","after":"1m30s","device":"a","label":"é","expect":{"outcome":"read","at":{"$between":[1,2.0]}},"skip":"later"}"#
      ),
      (#"{"op":"postbacks","at":1767225600}"#, #"{"op":"postbacks","at":"2026-01-01T00:00:00Z"}"#),
      (#"{"op":"details","at":1767225600.25}"#, #"{"op":"details","at":"2026-01-01T00:00:00.25Z"}"#),
      (
        #"{"op":"details","at":"2026-01-01T01:00:00+01:00"}"#, #"{"op":"details","at":"2026-01-01T00:00:00Z"}"#
      ),
      (#"{"op":"details","at":"+51h"}"#, #"{"op":"details","at":"+2d3h"}"#),
      (#"{"op":"details","after":"1m250ms"}"#, #"{"op":"details","after":"60.250000s"}"#),
      (#"{"op":"register","framework_error":10}"#, nil),
      (
        #"{"no_handler":false,"took":2.5,"answer":{"json":{"conversion_value":5.0}},"op":"session"}"#,
        #"{"op":"session","answer":{"status":200,"json":{"conversion_value":5.0}},"took":"2.500000s"}"#
      ),
      (
        #"{"op":"event","name":"$${x}","no_handler":true,"framework_error":-1,"answer":{"error":"timed out"}}"#,
        #"{"op":"event","name":"$${x}","answer":{"error":"timed out"},"framework_error":-1,"no_handler":true}"#
      ),
      (
        #"{"ad_monetization":true,"currency":null,"amount":5,"op":"revenue"}"#,
        #"{"op":"revenue","amount":5.0,"currency":null,"ad_monetization":true}"#
      ),
      (#"{"op":"revenue","amount":9.99,"currency":"USD"}"#, nil),
      (#"{"op":"update","ios":"17.4.0","app_version":"2","snippet":"skan3"}"#, nil),
      (#"{"op":"update","app_version":"2"}"#, nil),
      (#"{"op":"include","skip":"later","file":"a.jsonl"}"#, #"{"op":"include","skip":"later","file":"a.jsonl"}"#),
    ] as [(String, String?)])
  func lines(line: String, written: String?) throws {
    #expect(StepWriter(try listStep(line)).line == written ?? line)
  }

  @Test("A device step says its whole profile")
  func device() throws {
    let step = try listStep(#"{"op":"device","device":"a","ios":"18.0.0","idfv":null,"settings":{"tier2-digits":4}}"#)
    #expect(
      StepWriter(step).line
        == #"{"op":"device","device":"a","snippet":"skan4","ios":"18.0.0","bundle_id":"com.example.app","app_version":"1.0","idfv":null,"idfa":null,"build":"appstore","ad":{"version":"4.0","network":"com.example","app_id":525463029,"source_identifier":"5239","source_app_id":1234567891,"fidelity":1,"won":true,"redownload":false,"tier":3},"clock":"production","seed":0,"settings":{"tier2-digits":"4"}}"#
    )
  }

  @Test("A body as deep as a document may be goes out as text, where the line would be too deep")
  func depth() throws {
    for depth in [509, 510, 511, 512] {
      let body = #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
      var step = Step(.session(Step.Update()))
      step = step.answered(.response(status: 200, body: Array(body.utf8)))
      let line = StepWriter(step).line
      #expect(line.contains(#""json":"#) == (depth <= 510))
      #expect(try listStep(line).facts == step.facts)
    }
  }

  @Test("Every operation has one row, and writes a step that its row reads")
  func rows() throws {
    #expect(Set(OperationSpec.names).count == OperationSpec.all.count)
    let own = [
      "event": #","name":"n""#, "revenue": #","amount":1,"currency":"USD""#, "update": #","ios":"18.0""#,
      "include": #","file":"a","skip":"s""#, "s2s": #","kind":"event","name":"n""#,
    ]
    for spec in OperationSpec.all {
      #expect("\(spec.subject)" == "a step with op \"\(spec.name)\"")
      let step = try listStep(#"{"op":"\#(spec.name)"\#(own[spec.name] ?? "")}"#)
      #expect(step.operation.name == spec.name)
      #expect(spec.takesPhone == step.operation.takesPhone)
    }
  }

  @Test("What is written of every step under fixtures reads back as the same step", arguments: FixtureListTests.lists)
  func fixtures(list: String) throws {
    let text = String(decoding: try Data(contentsOf: FixtureListTests.fixtures.appending(path: list)), as: UTF8.self)
    let steps = try read(text).compactMap(\.step)
    #expect(!steps.isEmpty)
    let written = steps.map { StepWriter($0).line }.joined(separator: "\n")
    #expect(try read(written).map { $0.step?.facts } == steps.map(\.facts))
  }

  @Test("A step at the time at which it runs has none in a list")
  func now() {
    #expect(StepWriter(Step(.details, time: .now)).line == #"{"op":"details"}"#)
  }
}
