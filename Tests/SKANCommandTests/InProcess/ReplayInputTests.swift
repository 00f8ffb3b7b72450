import SKANCommand
import Testing

@Suite("Lists that cannot run")
struct ReplayInputTests {
  /// The problems of a list of these lines, without the file's name and the excerpts.
  private func problems(_ lines: [String]) -> [String] {
    let world = World()
    world["a.jsonl"] = lines.joined(separator: "\n")
    let result = world.run("replay a.jsonl")
    #expect(result.code == .badData && result.out == "")
    return result.err.split(separator: "\n").filter { $0.hasPrefix("a.jsonl:") }.map { String($0.dropFirst(8)) }
  }

  @Test("All problems of all files at once, before the first step")
  func all() {
    let world = World()
    world["a.jsonl"] = """
      {"op":"register"}
      {"op":"session","lable":"x","after":"x"}
      {"op":"event","name":"ä","tok":1}
      """
    world["b.jsonl"] = "{\"op\":\"register\",}"
    #expect(
      world.run("replay a.jsonl b.jsonl")
        == Consequences(
          .badData,
          err: """
            a.jsonl:2:17: a step with op "session" has no key "lable"; did you mean "label"?
              {"op":"session","lable":"x","after":"x"}
                              ^^^^^^^
            a.jsonl:2:37: "after" must be seconds, 0 or more, or a duration such as "2d3h" (units ms s m h d), this is "x"
              {"op":"session","lable":"x","after":"x"}
                                                  ^^^
            a.jsonl:3:26: a step with op "event" has no key "tok"; did you mean "took"?
              {"op":"event","name":"ä","tok":1}
                                       ^^^^^
            b.jsonl:1:17: not JSON: a comma before the closing bracket
              {"op":"register",}
                              ^

            """))
  }

  @Test(
    "One problem each",
    arguments: [
      ("[]", "1:1: a step must be an object, this is an array"),
      (
        "{}",
        "1:1: a step needs the key \"op\": one of device, register, session, event, revenue, details, relaunch, update, postbacks, s2s, include"
      ),
      (#"{"op":5}"#, "1:7: \"op\" must be a string, this is 5"),
      (#"{"op":"sesion"}"#, "1:7: there is no op \"sesion\"; did you mean \"session\"?"),
      (
        #"{"op":"frobnicate"}"#,
        "1:7: there is no op \"frobnicate\"; known: device, register, session, event, revenue, details, relaunch, "
          + "update, postbacks, s2s, include"
      ),
      (#"{"op":"event"}"#, "1:1: a step with op \"event\" needs the key \"name\""),
      (#"{"op":"revenue","amount":"5","currency":"USD"}"#, "1:26: \"amount\" must be a number, this is \"5\""),
      (
        #"{"op":"revenue","amount":1e39,"currency":"USD"}"#,
        "1:26: \"amount\" must fit a single-precision number (up to 3.4e38)"
      ),
      (#"{"op":"revenue","amount":5}"#, "1:1: a revenue step needs the key \"currency\" (null for none)"),
      (#"{"op":"update"}"#, "1:1: an update needs at least one of \"ios\", \"app_version\", \"snippet\""),
      (#"{"op":"session","at":0,"after":"1s"}"#, "1:32: a step has \"at\" or \"after\", not both"),
      (
        #"{"op":"session","at":"now"}"#,
        "1:22: \"at\" must be Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\", "
          + "this is \"now\""
      ),
      (
        #"{"op":"session","answer":{"json":{},"text":""}}"#,
        "1:26: an answer has exactly one of \"json\", \"text\", \"base64\" and \"error\""
      ),
      (#"{"op":"session","answer":{"base64":"*"}}"#, "1:36: \"base64\" must be base64 text, this is \"*\""),
      (
        #"{"op":"session","answer":{"status":200,"error":"x"}}"#,
        "1:36: an answer that is an \"error\" has no \"status\""
      ),
      (
        #"{"op":"session","answer":{"status":99,"text":""}}"#,
        "1:36: \"status\" must be a whole number from 100 to 999, this is 99"
      ),
      (
        #"{"op":"session","took":-1}"#,
        "1:24: \"took\" must be seconds, 0 or more, or a duration such as \"2.5s\" (units ms s m h d), this is -1"
      ),
      (#"{"op":"session","no_handler":1}"#, "1:30: \"no_handler\" must be true or false, this is 1"),
      (#"{"op":"session","expect":{"outcom":"x"}}"#, "1:27: a result has no key \"outcom\"; did you mean \"outcome\"?"),
      (#"{"op":"session","expect":[]}"#, "1:26: \"expect\" must be an object of paths and values, this is an array"),
      (#"{"op":"session","op":"event"}"#, "1:17: not JSON: the key \"op\" is given twice"),
      (#"{"op":"device","ios":"x"}"#, "1:22: \"ios\" must be an iOS version such as \"17.4\", this is \"x\""),
      (#"{"op":"device","ad":true}"#, "1:21: \"ad\" must be an object, or false for an organic install"),
      (#"{"op":"session"} x"#, "1:18: not JSON: more text after the end of the value"),
    ])
  func one(line: String, problem: String) {
    #expect(problems([line]) == [problem])
  }

  @Test("Names of phones")
  func names() {
    let device = #"{"op":"device","device":"alice"}"#
    #expect(
      problems([device, #"{"op":"session","device":"alcie"}"#]) == [
        "2:26: no device step before this one declares the phone \"alcie\"; did you mean \"alice\"?"
      ])
    #expect(
      problems([#"{"op":"session"}"#, device]) == [
        "1:1: no device step before this one declares the phone \"\"; add {\"op\":\"device\",\"device\":\"\"}"
      ])
    #expect(
      problems([#"{"op":"session"}"#, #"{"op":"session","device":"b"}"#]) == [
        "2:26: a second phone \"b\" in a list that declares none: give each a device step"
      ])
  }

  @Test("A file that is missing or cannot be read")
  func missing() {
    let world = World()
    #expect(
      world.run("replay none.jsonl")
        == Consequences(
          .noInput, err: "skan: none.jsonl does not exist; name an event list, or - for standard input\n"))
    world.set { $0.failures["read dir"] = .unreadable(file: "dir", reason: "Is a directory") }
    #expect(world.run("replay dir") == Consequences(.noInput, err: "skan: cannot read dir: Is a directory\n"))
  }

  @Test("A long line is shown around the location")
  func longLine() {
    let world = World()
    world["a.jsonl"] = #"{"op":"event","name":"\#(String(repeating: "x", count: 300))","tok":1}"#
    let lines = world.run("replay a.jsonl").err.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count <= 124 })
    let column = lines[2].firstIndex(of: "^").map { lines[2].distance(from: lines[2].startIndex, to: $0) } ?? 0
    #expect(lines[1].dropFirst(column).hasPrefix("\"tok\""))
  }

  @Test("A step that cannot run")
  func overflow() {
    let world = World()
    let revenue = #"{"op":"revenue","amount":3e38,"currency":"USD"}"#
    world["a.jsonl"] = "\(revenue)\n\(revenue)"
    #expect(
      world.run("replay a.jsonl -q")
        == Consequences(
          .badData,
          err: """
            a.jsonl:2:1: the sum in skan_total_revenue_by_currency would be beyond a single-precision number \
            (3.4e38); on the phone it would make every later request crash
              {"op":"revenue","amount":3e38,"currency":"USD"}
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            """))
  }
}
