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
        "op is never 5; known: device, register, session, event, revenue, details, relaunch, update, postbacks, s2s, include"
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
}
