import SKANCommand
import Testing

@testable import SKANCommandLine

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
      (#"{"op":5}"#, "1:7: \"op\" must be a string, this is 5"),
      (#"{"op":"sesion"}"#, "1:7: there is no op \"sesion\"; did you mean \"session\"?"),
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
      (#"{"op":"session","expect":[]}"#, "1:26: \"expect\" is an empty list"),
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

  @Test("A file that cannot be read")
  func unreadable() {
    let world = World()
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

  private static let good = #"{"op":"register"}"#

  /// The first line about a list whose second line is this; its place, and what is wrong.
  private func problem(_ line: [UInt8]) -> String {
    let world = World()
    world.set { $0.files["a"] = Array("\(Self.good)\n".utf8) + line + Array("\n\(Self.good)\n".utf8) }
    let result = world.run("replay a")
    #expect(result.code == .badData && result.out == "" && result.changes == [])
    let lines = result.err.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 140 })
    return String(lines[0])
  }

  @Test(
    "Reported with its location",
    arguments: [
      (#"{"op":"ses"#, "a:2:11: not JSON: the text ends too early"),
      (#"{"op":"event","name":"\ud800x"}"#, "a:2:23: not JSON: half a surrogate pair: \\uD800-\\uDFFF come in twos"),
      (
        #"{"op":"event","name":"\udc00\ud800"}"#,
        "a:2:23: not JSON: half a surrogate pair: \\uD800-\\uDFFF come in twos"
      ),
      (#"{"op":"session","op":"event"}"#, "a:2:17: not JSON: the key \"op\" is given twice"),
      (
        #"{"op":"session","answer":{"json":{"a":1,"a":2}}}"#, "a:2:41: not JSON: the key \"a\" is given twice"
      ),
      (#"{"op":"session","at":1e999}"#, "a:2:22: not JSON: the number is too large"),
      (#"{"op":"session","answer":{"json":-1e999}}"#, "a:2:34: not JSON: the number is too large"),
      ("{\"op\":\"event\",\"name\":\"a\0b\"}", "a:2:24: not JSON: a control character in a string must be escaped"),
      ("\0\0\0\0", "a:2:1: not JSON: expected a value: an object, array, string, number, true, false or null"),
    ])
  func text(line: String, words: String) {
    #expect(problem(Array(line.utf8)) == words)
  }

  @Test(
    "Bytes that are no UTF-8", arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80]])
  func bytes(bytes: [UInt8]) {
    #expect(
      problem(Array(#"{"op":"event","name":"a"#.utf8) + bytes + Array(#""}"#.utf8))
        == "a:2:24: not JSON: not valid UTF-8")
  }

  @Test("A list that holds no step is not green", arguments: ["", "\n\n", "# nothing yet\n", "# nothing yet"])
  func empty(text: String) {
    let world = World()
    world["a"] = text
    world["b"] = Self.good
    let line = max(
      1,
      text.split(separator: "\n", omittingEmptySubsequences: false).count
        - (text.hasSuffix("\n") || text.isEmpty ? 1 : 0))
    let words = "a:\(line):1: the list holds no step; --allow-empty lets that pass\n"
    for options in ["", "-q", "--test", "--json"] {
      let result = world.run("replay a b \(options)")
      #expect(result.code == .badData && result.err == words)
      #expect(world.run("replay a b --allow-empty \(options)").code == .ok)
    }
    world.set { $0.streams["-"] = [text] }
    #expect(world.run("replay -q -").code == .badData)
  }

  @Test("Skipped steps and mistakes are no lack of steps")
  func notEmpty() {
    let world = World()
    world["a"] = #"{"op":"register","skip":"later"}"#
    #expect(world.run("replay -q a").code == .ok)
    world["a"] = #"{"op":"registr"}"#
    #expect(world.run("replay a").err.split(separator: "\n").count == 3)
    world["c"] = #"{"op":"include","file":"d"}"#
    world["d"] = "# none\n"
    #expect(world.run("replay c").err == "c:1:1: the list holds no step; --allow-empty lets that pass\n")
  }

  @Test("10,000 nested brackets")
  func nested() {
    let brackets = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    #expect(
      problem(Array(#"{"op":"session","answer":{"json":\#(brackets)}}"#.utf8))
        == "a:2:544: not JSON: more than 512 brackets inside each other")
    #expect(
      problem(Array(String(repeating: "[", count: 10_000).utf8))
        == "a:2:513: not JSON: more than 512 brackets inside each other")
    let objects = String(repeating: #"{"a":"#, count: 10_000)
    #expect(problem(Array(objects.utf8)).hasSuffix(": not JSON: more than 512 brackets inside each other"))
  }

  @Test("A line over 1 MiB; what follows is checked, too")
  func long() {
    let world = World()
    let name = String(repeating: "x", count: 1 << 20)
    world["a"] = "\(Self.good)\n{\"op\":\"event\",\"name\":\"\(name)\"}\n{\"op\":\"sesion\"}"
    let lines = world.run("replay a").err.split(separator: "\n")
    #expect(lines.count == 6 && lines.allSatisfy { $0.count < 140 })
    #expect(lines[0] == "a:2:1: the line is longer than 1 MiB; each step is one line")
    #expect(lines[3] == "a:3:7: there is no op \"sesion\"; did you mean \"session\"?")
    // As long as a line may be.
    let fitting = String(repeating: "x", count: (1 << 20) - 24)
    world["a"] = "{\"op\":\"event\",\"name\":\"\(fitting)\"}"
    #expect(world.run("replay -q a").code == .ok)
  }

  @Test(
    "Another encoding, or compressed: one problem, and no more is read",
    arguments: [
      (
        [0x1F, 0x8B, 0x08, 0x0A, 0x0A, 0x00],
        "this is compressed with gzip; unpack it first, as in 'gunzip -c FILE | skan replay -'"
      ),
      ([0xFF, 0xFE, 0x7B, 0x00, 0x0A, 0x00, 0x0A], "this is UTF-16; a list is UTF-8"),
      ([0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x0A], "this is UTF-16; a list is UTF-8"),
    ] as [([UInt8], String)])
  func noText(bytes: [UInt8], words: String) {
    let world = World()
    world.set { $0.files["a"] = bytes }
    #expect(world.run("replay a") == Consequences(.badData, err: "a:1:1: \(words)\n"))
  }

  @Test(
    "JSON over several lines",
    arguments: [
      ("[\n{\"op\":\"register\"}\n]\n", "an array", "jq -c '.[]' FILE"), (" [ \r\n1]", "an array", "jq -c '.[]' FILE"),
      ("{\n  \"op\": \"register\"\n}\n", "a step", "jq -c . FILE"),
    ])
  func severalLines(text: String, what: String, help: String) {
    let world = World()
    world["a"] = text
    let words = "this is \(what) over several lines; a list has one step per line; \(help) converts it"
    #expect(world.run("replay a") == Consequences(.badData, err: "a:1:1: \(words)\n"))
  }

  @Test("A byte order mark")
  func byteOrderMark() {
    let world = World()
    world["a"] = "\u{FEFF}\(Self.good)"
    world["b"] = Self.good
    #expect(world.run("replay -q a") == world.run("replay -q b"))
  }

  @Test("100 problems of all lists are reported, and the others counted")
  func many() {
    let world = World()
    world["a"] = String(repeating: "x\n", count: 60)
    world["b"] = Self.good
    world["c"] = String(repeating: "x\n", count: 61)
    for mode in ["", "--test", "-q", "--json"] {
      let result = world.run("replay a b c \(mode)")
      #expect(result.code == .badData)
      #expect(result.err.split(separator: "\n").count { $0.hasPrefix("a:") || $0.hasPrefix("c:") } == 100)
      #expect(result.err.hasSuffix("\nskan: and 21 more problems\n"))
    }
    world["c"] = String(repeating: "x\n", count: 41)
    #expect(world.run("replay a b c").err.hasSuffix("\nskan: and 1 more problem\n"))
    world["c"] = String(repeating: "x\n", count: 40)
    #expect(!world.run("replay a b c").err.contains("more problem"))
  }

  @Test("A device file stays as it was")
  func state() {
    let world = World.registered()
    world["a"] = "\(Self.good)\n{\"op\":\"sesion\"}"
    #expect(world.run("replay a --state skan-state.json").code == .badData)
    #expect(world.run("replay a --state skan-state.json").changes == [])
  }

  @Test("However many problems there are, 100 are reported, and none with a long line")
  func tooMany() {
    let world = World()
    let keys = (0..<2_000).map { ",\"k\($0)\":0" }.joined()
    world["a"] = "{\"op\":\"register\"\(keys)}\n"
    world["bad.json"] = "{\"tier\":1\(keys)}"
    world["many.jsonl"] = String(repeating: #"{"op":"sesion"}"# + "\n", count: 1000)
    for (line, more) in [
      ("replay a", "and 1901 more problems"), ("install --ad @bad.json", "and 1901 more problems"),
      ("session --state bad.json", "more problems"), ("install --details bad.json", "more problems"),
      ("replay many.jsonl", "skan: and 900 more problems"),
    ] {
      let result = world.run(line)
      #expect(result.code == .badData && result.err.utf8.count < 100_000, "\(line)")
      #expect(result.err.contains(more), "\(line)")
    }
  }
}
