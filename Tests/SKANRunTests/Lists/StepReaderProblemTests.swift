import SKANBase
import Testing

@testable import SKANRun

@Suite("What is wrong with a step")
struct StepReaderProblemTests {
  @Test(
    "The op",
    arguments: [
      ("[]", "a step must be an object, this is an array"), ("5", "a step must be an object, this is a number"),
      (
        "{}",
        "a step needs the key \"op\": one of device, register, session, event, revenue, details, relaunch, update, postbacks, s2s, include"
      ),
      (
        #"{"Op":"details"}"#,
        "a step needs the key \"op\": one of device, register, session, event, revenue, details, relaunch, update, postbacks, s2s, include"
      ),
      (#"{"op":5}"#, "\"op\" must be a string, this is 5"), (#"{"op":null}"#, "\"op\" must be a string, this is null"),
      (#"{"op":"sesion"}"#, "there is no op \"sesion\"; did you mean \"session\"?"),
      (#"{"op":"SESSION"}"#, "there is no op \"SESSION\"; did you mean \"session\"?"),
      (
        #"{"op":"zzz"}"#,
        "there is no op \"zzz\"; known: device, register, session, event, revenue, details, relaunch, update, postbacks, s2s, include"
      ),
      (#"{"op":"details"} x"#, "not JSON: more text after the end of the value"),
      (#"{"op":"details","op":"session"}"#, "not JSON: the key \"op\" is given twice"),
      (#"{"op":"details",}"#, "not JSON: a comma before the closing bracket"),
      ("\u{FEFF}{\"op\":\"details\"}", "not JSON: a byte order mark does not belong here"),
    ])
  func op(line: String, message: String) {
    #expect(problems(line) == [message])
  }

  @Test(
    "A key, with the nearest known one",
    arguments: [
      (#"{"op":"session","anwser":{}}"#, "a step with op \"session\" has no key \"anwser\"; did you mean \"answer\"?"),
      (
        #"{"op":"session","nohandler":true}"#,
        "a step with op \"session\" has no key \"nohandler\"; did you mean \"no_handler\"?"
      ),
      (#"{"op":"event","name":"n","At":1}"#, "a step with op \"event\" has no key \"At\"; did you mean \"at\"?"),
      (
        #"{"op":"details","answer":{"text":""}}"#,
        "a step with op \"details\" has no key \"answer\"; known: op, at, after, device, label, expect, skip"
      ),
      (
        #"{"op":"register","name":"n"}"#,
        "a step with op \"register\" has no key \"name\"; known: op, at, after, device, label, expect, skip, framework_error"
      ),
      (
        #"{"op":"device","bundel_id":"x"}"#,
        "a step with op \"device\" has no key \"bundel_id\"; did you mean \"bundle_id\"?"
      ),
      (
        #"{"op":"revenue","amount":1,"currency":"USD","admonetization":true}"#,
        "a step with op \"revenue\" has no key \"admonetization\"; did you mean \"ad_monetization\"?"
      ),
      (
        #"{"op":"update","ios":"18.0","idfa":"x"}"#,
        "a step with op \"update\" has no key \"idfa\"; known: op, at, after, device, label, expect, skip, snippet, ios, app_version"
      ),
    ])
  func unknownKey(line: String, message: String) {
    #expect(problems(line) == [message])
  }

  @Test(
    "A value",
    arguments: [
      (#"{"op":"details","label":5}"#, "\"label\" must be a string, this is 5"),
      (#"{"op":"details","device":null}"#, "\"device\" must be a string, this is null"),
      (
        #"{"op":"details","at":true}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is true"
      ),
      (
        #"{"op":"details","at":"2026-01-01"}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is \"2026-01-01\"; a time zone is missing: 2026-01-01T00:00:00Z is UTC"
      ),
      (
        #"{"op":"details","at":"2d"}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is \"2d\""
      ),
      (
        #"{"op":"details","at":1e300}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is 1e+300"
      ),
      (
        #"{"op":"details","after":-5}"#,
        "\"after\" must be seconds, 0 or more, or a duration such as \"2d3h\" (units ms s m h d), this is -5"
      ),
      (
        #"{"op":"details","after":"-5s"}"#,
        "\"after\" must be seconds, 0 or more, or a duration such as \"2d3h\" (units ms s m h d), this is \"-5s\""
      ),
      (#"{"op":"details","at":1,"after":"1s"}"#, "a step has \"at\" or \"after\", not both"),
      (#"{"op":"details","expect":[]}"#, "\"expect\" must be an object of paths and values, this is an array"),
      (#"{"op":"details","expect":{"outcom":1}}"#, "a result has no key \"outcom\"; did you mean \"outcome\"?"),
      (
        #"{"op":"session","took":-1}"#,
        "\"took\" must be seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d), this is -1"
      ),
      (
        #"{"op":"session","took":"1x"}"#,
        "\"took\" must be seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d), this is \"1x\""
      ),
      (
        #"{"op":"session","at":1767225600000}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is "
          + "1767225600000; are these milliseconds? In seconds it is 1767225600"
      ),
      (
        #"{"op":"session","at":"2026-01-03 10:00:00"}"#,
        "\"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", this is "
          + "\"2026-01-03 10:00:00\"; did you mean 2026-01-03T10:00:00Z?"
      ),
      (
        #"[{"op":"session"},{"op":"session"}]"#,
        "this is an array of steps; a list has one step a line, which jq -c '.[]' FILE makes of it"
      ),
      (
        #"{"op":"session","took":1e300}"#,
        "\"took\" must be seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d), this is 1e+300"
      ),
      (#"{"op":"session","framework_error":1.5}"#, "\"framework_error\" must be a whole number, this is 1.5"),
      (#"{"op":"session","no_handler":1}"#, "\"no_handler\" must be true or false, this is 1"),
      (#"{"op":"event"}"#, "a step with op \"event\" needs the key \"name\""),
      (#"{"op":"event","name":5}"#, "\"name\" must be a string, this is 5"),
      (#"{"op":"revenue","currency":"USD"}"#, "a step with op \"revenue\" needs the key \"amount\""),
      (#"{"op":"revenue","amount":"1","currency":"USD"}"#, "\"amount\" must be a number, this is \"1\""),
      (#"{"op":"revenue","amount":1}"#, "a revenue step needs the key \"currency\" (null for none)"),
      (#"{"op":"revenue","amount":1,"currency":5}"#, "\"currency\" must be a string, this is 5"),
      (#"{"op":"update"}"#, "an update needs at least one of \"ios\", \"app_version\", \"snippet\""),
      (#"{"op":"update","ios":"x"}"#, "\"ios\" must be an iOS version such as \"17.4\", this is \"x\""),
      (
        #"{"op":"device","snippet":"skan5"}"#,
        "\"snippet\" must be one of \"skan4\", \"skan4-beta\", \"skan3\", this is \"skan5\""
      ),
    ])
  func value(line: String, message: String) {
    #expect(problems(line) == [message])
  }

  @Test(
    "A problem points at its bytes",
    arguments: [
      (#"{"op":"details","label":55}"#, 24..<26), (#"{"op":"details","lable":"é"}"#, 16..<23),
      (#"{"op":"xyzzy"}"#, 6..<13), ("{\"op\":\"details\",\"expect\":{\"é\":1}}", 26..<30),
    ])
  func range(line: String, expected: Range<Int>) throws {
    let error = try #require(#expect(throws: SourceProblems.self) { try step(line) })
    #expect(error.problems.map(\.range) == [expected])
  }

  @Test("All problems of a line at once")
  func all() {
    let line =
      #"{"op":"session","answer":{"stauts":200,"text":5},"took":-1,"no_handler":0,"label":1,"at":"x","after":"y","lable":2,"expect":{"zzz":1,"windo":0}}"#
    #expect(problems(line).count == 11, "\(problems(line))")
  }
}
