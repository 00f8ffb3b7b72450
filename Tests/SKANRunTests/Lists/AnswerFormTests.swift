import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("The answer of a step")
struct AnswerFormTests {
  @Test(
    "Forms",
    arguments: [
      (#"{"json":{}}"#, 200, "{}"), (#"{"status":503,"json":[1]}"#, 503, "[1]"),
      (#"{"status":100,"text":""}"#, 100, ""),
      (#"{"status":999,"text":"<html>\n\u00e9"}"#, 999, "<html>\né"), (#"{"base64":""}"#, 200, ""),
      (#"{"base64":"e30="}"#, 200, "{}"),
      (#"{"json":null}"#, 200, "null"), (#"{"json":"x"}"#, 200, #""x""#), (#"{"json":5,"status":200}"#, 200, "5"),
    ])
  func forms(text: String, status: Int, body: String) throws {
    #expect(try AnswerForm.read(Array(text.utf8)) == .response(status: status, body: Array(body.utf8)))
    let line = "{\"op\":\"session\",\"label\":\"é\",\"answer\":\(text)}"
    guard case .session(let update) = try step(line).operation else {
      Issue.record("no session")
      return
    }
    #expect(update.answer == .response(status: status, body: Array(body.utf8)))
  }

  @Test("Bytes that are no text, and no answer at all")
  func others() throws {
    #expect(try AnswerForm.read(Array(#"{"base64":"/wA="}"#.utf8)) == .response(status: 200, body: [0xFF, 0x00]))
    #expect(try AnswerForm.read(Array(#"{"error":"timed out"}"#.utf8)) == .failure("timed out"))
    #expect(try AnswerForm.read(Array(#"{"error":""}"#.utf8)) == .failure(""))
  }

  @Test(
    "A json body goes out byte for byte",
    arguments: [
      #"{"conversion_value":64.0}"#, #"{ "b" : 1e1,"a":-0 }"#, "{\"a\":\t[ 1 ,\t2.50 ]}", #"{"\u0061":"\/\u00e9é😀"}"#,
      "1.000", "-0.0", #""\u0041""#,
      #"{"conversion_value":9223372036854775808}"#,
    ])
  func verbatim(body: String) throws {
    for text in ["{\"json\":\(body)}", "{\"status\":200, \"json\" : \(body) }"] {
      #expect(try AnswerForm.read(Array(text.utf8)) == .response(status: 200, body: Array(body.utf8)))
    }
    let results = try runList([
      #"{"op":"register"}"#, "{\"op\":\"session\",\"device\":\"\",\"label\":\"漢\",\"answer\":{\"json\":\(body)}}",
    ])
    #expect(results.last?.exchange?.answer == .response(status: 200, body: Array(body.utf8)))
  }

  @Test(
    "So the phone sees 64.0 and 1e1 as they are written",
    arguments: [("64.0", Outcome.illegalValues), ("1e1", .updated), ("63.9", .updated)])
  func seen(value: String, outcome: Outcome) throws {
    let results = try runList([
      #"{"op":"register"}"#, "{\"op\":\"session\",\"answer\":{\"json\":{\"conversion_value\":\(value)}}}",
    ])
    #expect(results.last?.report.outcome == outcome)
  }

  @Test(
    "What is wrong",
    arguments: [
      ("{}", "an answer has exactly one of \"json\", \"text\", \"base64\" and \"error\""),
      (#"{"status":200}"#, "an answer has exactly one of \"json\", \"text\", \"base64\" and \"error\""),
      (#"{"json":{},"text":""}"#, "an answer has exactly one of \"json\", \"text\", \"base64\" and \"error\""),
      (#"{"error":"x","status":200}"#, "an answer that is an \"error\" has no \"status\""),
      (#"{"status":99,"text":""}"#, "\"status\" must be a whole number from 100 to 999, this is 99"),
      (#"{"status":1000,"text":""}"#, "\"status\" must be a whole number from 100 to 999, this is 1000"),
      (#"{"status":"200","text":""}"#, "\"status\" must be a whole number from 100 to 999, this is \"200\""),
      (#"{"text":{}}"#, "\"text\" must be a string, this is an object"),
      (#"{"error":5}"#, "\"error\" must be a string, this is 5"),
      (#"{"base64":"/w"}"#, "\"base64\" must be base64 text, this is \"/w\""),
      (#"{"base64":"é"}"#, "\"base64\" must be base64 text, this is \"é\""),
      (#"{"base64":5}"#, "\"base64\" must be base64 text, this is 5"),
      (#"{"jsn":{}}"#, "an answer has no key \"jsn\"; did you mean \"json\"?"),
      ("[]", "an answer must be an object, this is an array"), ("null", "an answer must be an object, this is null"),
    ])
  func wrong(text: String, message: String) {
    let error = #expect(throws: SourceProblems.self) { try AnswerForm.read(Array(text.utf8)) }
    #expect(error?.problems.map(\.message) == [message])
    #expect(problems("{\"op\":\"session\",\"answer\":\(text)}") == [message])
  }

  @Test("Text that is no JSON, standing alone", arguments: ["", "{", #"{"json":{},}"#, #"{"text":"","text":""}"#])
  func noJSON(text: String) {
    let error = #expect(throws: SourceProblems.self) { try AnswerForm.read(Array(text.utf8)) }
    #expect(error?.problems.first?.message.hasPrefix("not JSON: ") == true)
  }
}
