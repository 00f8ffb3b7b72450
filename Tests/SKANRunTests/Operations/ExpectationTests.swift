import SKANBase
import Testing

@testable import SKANRun

@Suite("Expectations")
struct ExpectationTests {
  private static let result = #"""
    {"outcome":"updated","window":0,"at":1767225600,"handler":null,"crash":null,"warnings":[{"code":"a"},{"code":"b"}],
    "request":{"url":"u","query":{"n":"x","conversion_value":null}},
    "details":{"p0_coarse":"1","skan_total_revenue_by_currency":{"EUR":9.9899997711181641,"a.b":1,"a":{"b":2,"c":3}}},
    "framework":[{"call":"c","fine":5,"coarse":null}]}
    """#

  @Test(
    "Met",
    arguments: [
      ("outcome", #""updated""#), ("window", "0"), ("window", "0.0"), ("at", "1.7672256e9"), ("handler", "null"),
      ("handler.fine", "null"),
      ("crash.reason", "null"), ("details.p0_coarse", #""1""#), ("details.p1_coarse", "null"),
      ("warnings.0", #"{"code":"a"}"#),
      ("warnings.1.code", #""b""#), ("warnings.2", "null"), ("warnings.x", "null"), ("warnings.-1", "null"),
      ("warnings", #"[{"code":"a"},{"code":"b"}]"#),
      ("query", #"{"conversion_value":null,"n":"x"}"#), ("query.n", #""x""#), ("request.query.n", #""x""#),
      ("query.conversion_value", "null"),
      ("query.zzz", "null"), ("request", #"{"query":{"n":"x","conversion_value":null},"url":"u"}"#),
      ("framework.0.fine", "5e0"),
      ("framework", #"[{"fine":5,"coarse":null,"call":"c"}]"#),
      ("details.skan_total_revenue_by_currency.EUR", "9.9899997711181641"),
      ("details.skan_total_revenue_by_currency.EUR", "9.98999977111816406"),
      ("details.skan_total_revenue_by_currency.a.b", "1"),
      ("details.skan_total_revenue_by_currency.a.c", "3"), ("outcome.x", "null"), ("postbacks", "null"),
    ])
  func met(path: String, expected: String) throws {
    let verdict = try verdict(path, expected)
    #expect(verdict.isMet, "\(verdict.actual)")
    #expect(verdict.path == path)
  }

  @Test(
    "Not met",
    arguments: [
      ("outcome", #""Updated""#, #""updated""#), ("outcome", "null", #""updated""#), ("window", "1", "0"),
      ("window", #""0""#, "0"),
      ("window", "false", "0"), ("handler", "{}", "null"), ("details.p0_coarse", "1", #""1""#),
      ("warnings", "[]", #"[{"code":"a"},{"code":"b"}]"#),
      ("warnings.0", #"{"code":"a","level":"note"}"#, #"{"code":"a"}"#),
      ("details.skan_total_revenue_by_currency.EUR", "9.99", "9.9899997711181641"),
      ("details.zzz", "0", "null"), ("warnings.2.code", #""c""#, "null"),
      ("query", #"{"n":"x"}"#, #"{"n":"x","conversion_value":null}"#),
      ("framework.0", #"{"call":"c","fine":5}"#, #"{"call":"c","fine":5,"coarse":null}"#),
    ])
  func notMet(path: String, expected: String, actual: String) throws {
    let verdict = try verdict(path, expected)
    #expect(!verdict.isMet)
    #expect(try verdict.actual == value(actual))
    #expect(
      try verdict.json
        == .object([
          ("path", .string(path)), ("expected", value(expected)), ("actual", value(actual)), ("ok", .bool(false)),
        ]))
  }

  @Test(
    "Paths that no result can have",
    arguments: [
      ("outcom", "a result has no key \"outcom\"; did you mean \"outcome\"?"),
      ("detials.p0_coarse", "a result has no key \"detials\"; did you mean \"details\"?"),
      ("Window", "a result has no key \"Window\"; did you mean \"window\"?"),
      ("details.p0_corse", "details has no key \"p0_corse\"; did you mean \"p0_coarse\"?"),
      ("apple.windw", "apple has no key \"windw\"; did you mean \"window\"?"),
      ("apple.p1.fine", "apple.p1 has no key \"fine\"; known: updated, coarse, locked_at, fine_only"),
      ("query.app_w", "query has no key \"app_w\"; did you mean \"app_v\"?"),
      ("request.query.idvf", "request.query has no key \"idvf\"; did you mean \"idfv\"?"),
      ("handler.fin", "handler has no key \"fin\"; did you mean \"fine\"?"),
      ("warnings.0.cod", "warnings.0 has no key \"cod\"; did you mean \"code\"?"),
      ("warnings.code", "warnings is a list: a number comes after it, as in \"warnings.0.code\""),
      ("postbacks.0.body.app_id", "postbacks.0.body has no key \"app_id\"; did you mean \"app-id\"?"),
      ("outcome.x", "outcome is one value, with nothing below it"),
      ("answer.json", "answer has no key \"json\"; known: status, text, base64, error"),
    ])
  func impossible(path: String, message: String) throws {
    #expect(try problems(path, "null") == [message])
  }

  @Test("No key at all is known", arguments: ["", "zzz", "zzz.outcome"])
  func unknown(path: String) throws {
    #expect(try problems(path, "null").first?.hasPrefix("a result has no key ") == true)
  }

  @Test(
    "Paths that a result can have",
    arguments: StepResult.keys + [
      "query", "query.n", "details.p2_window_lock", "details.skan_total_revenue_by_currency.anything.at.all",
      "warnings.99.code", "request.query", "apple.p0.fine", "postbacks.2.body.app-id", "expectations.0.actual.x",
    ])
  func possible(path: String) throws {
    #expect(try problems(path, "null") == [])
  }

  @Test(
    "Values that never stand there",
    arguments: [
      ("outcome", #""udpated""#, "outcome is never \"udpated\"; did you mean \"updated\"?"),
      (
        "op", "5",
        "op is never 5; known: \(OperationSpec.names.joined(separator: ", "))"
      ),
      ("window", "3", "window is never 3; it is from -1 to 2"),
      ("apple.window", "-2", "apple.window is never -2; it is from -1 to 2"),
      ("warnings.0.code", #""odd-typ""#, "warnings.0.code is never \"odd-typ\"; did you mean \"odd-type\"?"),
      ("warnings", #"[{"cod":"odd-type"}]"#, "warnings.0 has no key \"cod\"; did you mean \"code\"?"),
      (
        "warnings", #"{"$contains":{"code":"odd-typ"}}"#,
        "warnings.code is never \"odd-typ\"; did you mean \"odd-type\"?"
      ),
      ("handler", #"{"fin":null}"#, "handler has no key \"fin\"; did you mean \"fine\"?"),
      ("details", #"{"$exsts":true}"#, "there is no \"$exsts\" to expect; did you mean \"$exists\"?"),
      ("framework.0", #"{"coarse":"lo"}"#, "framework.0.coarse is never \"lo\"; did you mean \"low\"?"),
    ])
  func never(path: String, expected: String, message: String) throws {
    #expect(try problems(path, expected) == [message])
    let thrown = #expect(throws: SourceProblems.self) { try Expected(path: path, text: expected) }
    #expect(thrown?.problems.map(\.message) == [message])
  }

  @Test(
    "Values that may stand there",
    arguments: [
      ("outcome", "null"), ("outcome", #"{"$matches":"^upd"}"#), ("window", "-1"), ("window", "2.0"),
      ("warnings", #"{"$contains":{"code":"odd-type"}}"#), ("warnings", "[]"), ("handler", "{}"),
      ("at", #"{"$approx":18446744073709551615,"within":1}"#),
      ("handler", #"{"coarse":"any","error":null,"fine":1e9,"lock":false}"#),
      ("details", #"{"skan_total_revenue_by_currency":{"XXX":1}}"#),
      ("framework", #"[{"call":"updateConversionValue"}]"#),
    ])
  func fitting(path: String, expected: String) throws {
    #expect(try problems(path, expected) == [])
  }

  @Test(
    "From a command line a value has no type of its own",
    arguments: [
      ("outcome", "updated", true), ("outcome", #""updated""#, true), ("details.p0_coarse", "1", true),
      ("details.p0_coarse", #""1""#, true),
      ("details.p0_coarse", "2", false), ("window", "0", true), ("window", #""0""#, false), ("handler", "null", true),
      ("query.idfa", "null", true),
      ("query.idfa", "", false), ("framework.0.fine", "5.0", true), ("warnings.0.message", "null", true),
      ("explanation", "{", false),
    ])
  func plainText(path: String, text: String, isMet: Bool) throws {
    #expect(try Expected(path: path, text: text).verdict(on: value(Self.result)).isMet == isMet)
  }

  @Test(
    "What was found, and what may be meant",
    arguments: [
      ("details.p0_coarse", "1", [#"actual    "1""#, #"hint      getSkanDetails gives texts, so expect "1""#]),
      ("details", #"{"p0_coarse":1}"#, [#"hint      getSkanDetails gives texts, so expect "1""#]),
      ("query.n", "5", [#"actual    "x""#]),
      ("window", #""0""#, ["actual    0", "hint      the value is a number, so expect 0"]),
      (
        "details.skan_total_revenue_by_currency.EUR", "9.99",
        [
          "actual    9.989999771118164",
          #"hint      the phone adds revenue in single precision; expect {"$approx":9.99,"within":0.01}"#,
        ]
      ),
      ("details.skan_total_revenue_by_currency.EUR", "9.97", ["actual    9.989999771118164"]),
      ("at", "1767225601", ["actual    1767225600"]),
      ("details.p2_coarse", #""1""#, ["actual    nothing: details has no p2_coarse"]),
      ("handler.fine", "1", ["actual    nothing: handler is null"]),
      ("query.idfa", #""A""#, ["actual    nothing: request.query has no idfa"]),
      ("query.conversion_value", "5", ["actual    null"]),
      ("postbacks.0", "{}", ["actual    nothing: there is no postbacks.0 in this result"]),
      ("warnings.2.code", #""odd-type""#, ["actual    nothing: warnings has no 2.code"]),
    ])
  func difference(path: String, expected: String, lines: [String]) throws {
    let difference = try verdict(path, expected).difference.map { $0.drop { $0 == " " } }
    #expect(difference.suffix(lines.count) == lines.map { $0[...] }[...])
    #expect(lines.contains { $0.hasPrefix("hint") } == difference.contains { $0.hasPrefix("hint") })
  }

  private func verdict(_ path: String, _ expected: String) throws -> Expected.Verdict {
    Expected(path: path, expected: try value(expected)).verdict(on: try value(Self.result))
  }

  private func problems(_ path: String, _ expected: String) throws -> [String] {
    let node = try JSONReader.read(Array(expected.utf8))
    return Expected.problems(withPath: path, at: 0..<1, expecting: node).map(\.message)
  }

  private func value(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)).value }

  @Test(
    "Numbers and texts of numbers, wherever they stand",
    arguments: [
      (#"{"n":"x"}"#, #"{"n":5}"#, nil), (#""5""#, "5", #"the value is a text, so expect "5""#),
      ("18446744073709551615", #""18446744073709551615""#, "the value is a number, so expect 18446744073709551615"),
      (#"["a","7"]"#, #"["a",7]"#, #"the value is a text, so expect "7""#),
      (
        "1234567.875", "1234567.9",
        #"the phone adds revenue in single precision; expect {"$approx":1234567.9,"within":0.1}"#
      ), ("1234567.875", "1234599.9", nil), ("null", "5", nil),
    ] as [(String, String, String?)])
  func hints(actual: String, expected: String, hint: String?) throws {
    let (actual, expected) = try (
      JSONReader.read(Array(actual.utf8)).value, JSONReader.read(Array(expected.utf8)).value
    )
    let verdict = Expected(path: "odd", expected: expected).verdict(on: .object([("odd", actual)]))
    #expect(!verdict.isMet)
    #expect(verdict.hint == hint)
  }

  @Test("What getSkanDetails gives is a text, whatever it holds")
  func details() {
    let result = JSON.object([("details", .object([("p0_coarse", .string("1"))]))])
    #expect(
      Expected(path: "details.p0_coarse", expected: .integer(1)).verdict(on: result).hint
        == #"getSkanDetails gives texts, so expect "1""#)
  }
}

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

  @Test("A regular expression that would take forever is given up, and said to be")
  func endless() throws {
    // Nothing ends a search that is given up; this one takes some times as long as it may, and not the rest of the run.
    let text = String(repeating: "a", count: 18) + "!"
    let expected = Expected(path: "explanation", expected: try value(#"{"$matches":"^(a+)+$"}"#))
    for _ in 1...3 {
      let verdict = expected.verdict(on: .object([("explanation", .string(text))]))
      #expect(!verdict.isMet)
      #expect(verdict.hint?.hasPrefix("the search took too long and was stopped") == true)
    }
    // What is repeated within a group, or many times, but ends.
    #expect(try isMet(#"{"$matches":"^(ab)+c*d*e*$"}"#, "\"ababcde\""))
    #expect(!(try isMet(#"{"$matches":"^(ab)+c*d*e*$"}"#, "\"abacde\"")))
  }

  @Test("An interruption ends a long search, and leaves its expectation undecided")
  func interrupted() throws {
    let text = String(repeating: "b", count: 14) + "!"
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
