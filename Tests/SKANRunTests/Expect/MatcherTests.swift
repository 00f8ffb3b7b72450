import SKANBase
import Testing

@testable import SKANRun

@Suite("Matchers in expectations")
struct MatcherTests {
  private func isMet(_ matcher: String, _ actual: String?) throws -> Bool {
    let result = actual.map { #"{"details":{"x":\#($0)}}"# } ?? #"{"details":{}}"#
    return Expected(path: "details.x", expected: try value(matcher)).verdict(on: try value(result)).isMet
  }

  private func value(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)).value }

  @Test(
    "Met",
    arguments: [
      (#"{"$exists":true}"#, ["0", "false", #""""#, "[]", "{}", "1.5"]), (#"{"$exists":false}"#, [nil, "null"]),
      (#"{"$matches":"^Upd"}"#, [#""Updated""#]), (#"{"$matches":"dat"}"#, [#""Updated""#]),
      (#"{"$matches":"^5$"}"#, ["5", #""5""#]), (#"{"$matches":""}"#, [#""""#, "0"]),
      (#"{"$matches":"^.{5}$"}"#, [#""größe""#]), (#"{"$matches":"(?i)ios"}"#, [#""too old: iOS 14""#]),
      (#"{"$between":[0,63]}"#, ["0", "63", "0.5", #""12""#, "62.999"]),
      (#"{"$between":[-1.5,-1.5]}"#, ["-1.5"]),
      (#"{"$between":[0,18446744073709551615]}"#, ["18446744073709551615"]),
      (#"{"$approx":9.99,"within":0.01}"#, ["9.99", "9.9899997711181641", "9.981", #""9.995""#]),
      (#"{"within":0,"$approx":7}"#, ["7", "7.0"]),
      (#"{"$contains":"old"}"#, [#""too old""#, #"["new","old"]"#]), (#"{"$contains":""}"#, [#""""#]),
      (#"{"$contains":{"a":1}}"#, [#"{"a":1,"b":2}"#, #"[{"b":2},{"a":1,"b":2}]"#]),
      (#"{"$contains":{"a":null}}"#, [#"{"b":2}"#, #"{"a":null}"#]), (#"{"$contains":5}"#, ["[1,5]", "[5.0]"]),
      (#"{"$contains":{"a":{"$matches":"x"}}}"#, [#"[{"a":"y"},{"a":"xyz","b":1}]"#]),
      (#"{"$contains":{"$between":[3,4]}}"#, ["[1,3.5]"]), (#"{"$contains":null}"#, ["[null]"]),
      // All that stand in one object hold together.
      (#"{"$matches":"^a","$contains":"b"}"#, [#""ab""#]),
      // Deep within a value that is otherwise compared as a whole.
      (#"{"fine":{"$between":[0,63]},"error":null}"#, [#"{"fine":5,"error":null}"#]),
      (#"[{"$exists":true},{"c":{"$approx":1,"within":0.5}}]"#, [#"[0,{"c":1.25}]"#]),
      (#"{"a":{"$exists":false},"b":1}"#, [#"{"b":1}"#, #"{"a":null,"b":1}"#]),
      // A currency may have such a name.
      (#"{"$":5}"#, [#"{"$":5}"#]), (#"{"$1":5}"#, [#"{"$1":5}"#]), (#"{"US$":5}"#, [#"{"US$":5}"#]),
    ] as [(String, [String?])])
  func met(matcher: String, values: [String?]) throws {
    for value in values { #expect(try isMet(matcher, value), "\(matcher) \(value ?? "absent")") }
  }

  @Test(
    "Not met",
    arguments: [
      (#"{"$exists":true}"#, [nil, "null"]), (#"{"$exists":false}"#, ["0", "false", #""""#]),
      (#"{"$matches":"^dat"}"#, [#""Updated""#, "null", nil, "true", "[]", #"["dat"]"#]),
      (#"{"$between":[0,63]}"#, ["64", "-1", "63.001", #""x""#, #""""#, "null", nil, "true", "[1]", #""nan""#]),
      (#"{"$between":[0,1e308]}"#, [#""inf""#]), (#"{"$approx":9.99,"within":0.01}"#, ["10.1", "9.97", "null", nil]),
      (#"{"$approx":7,"within":0}"#, ["7.0000001", #""seven""#]),
      (#"{"$contains":"old"}"#, [#""Old""#, #"["older"]"#, #"{"old":1}"#, "null", nil, "5"]),
      (#"{"$contains":{"a":1}}"#, [#"{"a":2}"#, "[]", #"[{"b":1}]"#, #""a""#, nil]),
      (#"{"$contains":5}"#, ["5", "15", #""5""#, "[15]"]), (#"{"$contains":{"a":{"$exists":true}}}"#, [#"{"b":1}"#]),
      (#"{"$matches":"^a","$contains":"b"}"#, [#""a""#, #""b""#]),
      (#"{"fine":{"$between":[0,63]}}"#, [#"{"fine":5,"error":null}"#, #"{"fine":64}"#, "{}", "5"]),
      (#"{"fine":null}"#, ["{}"]), (#"{"$":5}"#, ["5"]),
    ] as [(String, [String?])])
  func notMet(matcher: String, values: [String?]) throws {
    for value in values { #expect(!(try isMet(matcher, value)), "\(matcher) \(value ?? "absent")") }
  }

  @Test("A regular expression that would take for ever is given up, and said to be")
  func endless() throws {
    // Nothing ends a search that is given up; this one takes ten times as long as it may, and not the rest of the run.
    let text = String(repeating: "a", count: 19) + "!"
    let expected = Expected(path: "explanation", expected: try value(#"{"$matches":"^(a+)+$"}"#))
    for _ in 1...3 {
      let verdict = expected.verdict(on: .object([("explanation", .string(text))]))
      #expect(!verdict.isMet)
      #expect(verdict.hint?.hasPrefix("the search took too long and was given up") == true)
    }
    // What is repeated within a group, or many times, but ends.
    #expect(try isMet(#"{"$matches":"^(ab)+c*d*e*$"}"#, "\"ababcde\""))
    #expect(!(try isMet(#"{"$matches":"^(ab)+c*d*e*$"}"#, "\"abacde\"")))
  }

  @Test("An interruption ends a long search, and leaves its expectation undecided")
  func interrupted() throws {
    let text = String(repeating: "b", count: 17) + "!"
    let expected = Expected(path: "explanation", expected: try value(#"{"$matches":"^(b+)+$"}"#))
    let result = ShownResult(try #require(try runList([#"{"op":"details"}"#]).first))
    result.explanation = text
    #expect([expected].verdicts(on: result, isInterrupted: { true }) == nil)
    // It was not given up: only its time ends a search for good.
    #expect(!RegexSearch.wasGivenUp("^(b+)+$"))
    let met = Expected(path: "explanation", expected: .string(text))
    #expect([met].verdicts(on: result, isInterrupted: { true })?.map(\.isMet) == [true])
  }

  @Test("From a command line, too")
  func commandLine() throws {
    let result = try value(#"{"explanation":"Updated in P0"}"#)
    #expect(try Expected(path: "explanation", text: #"{"$matches":"P0$"}"#).verdict(on: result).isMet)
  }

  @Test(
    "What is told is what is wrong",
    arguments: [
      (#"{"a":{"$between":[0,9]},"b":1}"#, #"{"a":5,"b":2}"#, #"{"a":5,"b":1}"#),
      (#"{"a":{"$between":[0,9]},"b":1}"#, #"{"a":10,"b":1}"#, #"{"a":{"$between":[0,9]},"b":1}"#),
      (#"{"a":{"$exists":false},"b":1}"#, #"{"b":2}"#, #"{"b":1}"#),
      (#"{"a":{"$exists":true}}"#, #"{"b":2}"#, #"{"a":{"$exists":true}}"#),
      (#"[{"$exists":true},2]"#, "[1,3]", "[1,2]"), (#"[{"$exists":true}]"#, "[1,3]", #"[{"$exists":true}]"#),
      (#"{"$contains":"x"}"#, #""y""#, #"{"$contains":"x"}"#),
      (#"{"a":{"b":{"$exists":true},"c":1}}"#, #"{"a":{"b":7,"c":2}}"#, #"{"a":{"b":7,"c":1}}"#),
    ])
  func aligned(expected: String, actual: String, told: String) throws {
    #expect(try value(expected).aligned(with: try value(actual)) == value(told))
  }

  @Test(
    "Matchers that cannot be meant",
    arguments: [
      (#"{"$exists":1}"#, "\"$exists\" is true or false"),
      (#"{"$matches":5}"#, "\"$matches\" is a regular expression in a string"),
      (#"{"$between":[1]}"#, "\"$between\" is an array of two numbers, the lower one first, both included"),
      (#"{"$between":[2,1]}"#, "\"$between\" is an array of two numbers, the lower one first, both included"),
      (#"{"$between":["a","b"]}"#, "\"$between\" is an array of two numbers, the lower one first, both included"),
      (#"{"$between":5}"#, "\"$between\" is an array of two numbers, the lower one first, both included"),
      (#"{"$approx":5}"#, "\"$approx\" needs \"within\" beside it, a number of 0 or more"),
      (#"{"$approx":5,"within":-1}"#, "\"$approx\" needs \"within\" beside it, a number of 0 or more"),
      (#"{"$approx":"5","within":1}"#, "\"$approx\" is a number, with \"within\" beside it"),
      (#"{"$exists":true,"within":1}"#, "\"within\" belongs to \"$approx\""),
      (#"{"$match":"x"}"#, "there is no \"$match\" to expect; did you mean \"$matches\"?"),
      (
        #"{"$lessThan":5}"#,
        "there is no \"$lessThan\" to expect; known: $exists, $matches, $between, $approx, $contains"
      ),
      (
        #"{"$exists":true,"other":1}"#,
        "there is no \"other\" to expect; known: $exists, $matches, $between, $approx, $contains"
      ),
      // Also deep within a value.
      (#"{"a":[{"$exists":"yes"}]}"#, "\"$exists\" is true or false"),
      (#"{"$contains":{"a":{"$exists":0}}}"#, "\"$exists\" is true or false"),
    ])
  func wrong(matcher: String, message: String) {
    #expect(
      problems(#"{"op":"session","expect":{"details.skan_total_revenue_by_currency.x":\#(matcher)}}"#) == [message])
  }

  @Test("A regular expression that cannot be read is told with its location")
  func badPattern() throws {
    let problem = try #require(
      try check(#"{"op":"session","expect":{"outcome":{"$matches":"(["}}}"#).first?.problem)
    #expect(problem.message.hasPrefix("\"$matches\" has a regular expression that cannot be read: "))
    #expect(problem.range == 48..<52)
  }

  @Test(
    "Nothing is wrong with",
    arguments: [
      #"{"$":5}"#, #"{"within":1}"#, #"{"$contains":{"anything":1}}"#, #"{"$contains":null}"#, #"{"$between":[1,1]}"#,
      #"{"a":{"$exists":true}}"#,
    ])
  func right(matcher: String) {
    #expect(problems(#"{"op":"session","expect":{"details.skan_total_revenue_by_currency.x":\#(matcher)}}"#) == [])
  }
}
