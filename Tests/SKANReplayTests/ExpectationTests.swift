import SKANJSON
import Testing

@testable import SKANReplay

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
    ])
  func impossible(path: String, message: String) {
    #expect(Expected.problem(withPath: path) == message)
  }

  @Test("No key at all is known", arguments: ["", "zzz", "zzz.outcome"])
  func unknown(path: String) {
    #expect(Expected.problem(withPath: path)?.hasPrefix("a result has no key ") == true)
  }

  @Test(
    "Paths that a result can have",
    arguments: StepResult.keys + ["query", "query.n", "details.anything", "warnings.99.code", "request.query"])
  func possible(path: String) {
    #expect(Expected.problem(withPath: path) == nil)
  }

  @Test(
    "From a command line a value has no type of its own",
    arguments: [
      ("outcome", "updated", true), ("outcome", #""updated""#, true), ("details.p0_coarse", "1", true),
      ("details.p0_coarse", #""1""#, true),
      ("details.p0_coarse", "2", false), ("window", "0", true), ("window", #""0""#, false), ("handler", "null", true),
      ("query.zzz", "null", true),
      ("query.zzz", "", false), ("framework.0.fine", "5.0", true), ("warnings", #"[{"code":"a"},{"code":"b"}]"#, true),
      ("outcome", "{", false),
    ])
  func plainText(path: String, text: String, isMet: Bool) throws {
    #expect(Expected(path: path, text: text).verdict(on: try value(Self.result)).isMet == isMet)
  }

  private func verdict(_ path: String, _ expected: String) throws -> Expected.Verdict {
    Expected(path: path, expected: try value(expected)).verdict(on: try value(Self.result))
  }

  private func value(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)).value }
}
