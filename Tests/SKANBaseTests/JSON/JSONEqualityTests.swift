import Testing

@testable import SKANBase

@Suite("Equality of JSON values")
struct JSONEqualityTests {
  @Test(
    "Equal however they are written",
    arguments: [
      ("1", "1.0"), ("10", "1e1"), ("-0", "0"), ("-0.0", "0"), ("0.5", "5e-1"), ("100", "1.00E+2"),
      ("9007199254740992", "9007199254740992.0"), ("-9223372036854775808", "-9223372036854775808.0"),
      (#""A""#, #""\u0041""#), ("[1,2.0]", "[1.0,2]"), (#"{"a":1,"b":[2]}"#, #"{ "b": [2.0], "a": 1e0 }"#),
      (#"{"x":{"a":null,"b":{}}}"#, #"{"x":{"b":{},"a":null}}"#), ("null", " null "),
      ("9223372036854775808", "9223372036854775808.0"), ("18446744073709551615", "18446744073709551615"),
      ("null", "null"), ("true", "true"), ("0", "0"), ("-0.0", "-0.0"), ("1e300", "1e300"), (#""""#, #""""#),
      ("[]", "[]"), ("{}", "{}"),
    ])
  func equal(left: String, right: String) throws {
    #expect(try value(left) == value(right))
    #expect(try value(right) == value(left))
  }

  @Test(
    "Not equal",
    arguments: [
      ("1", "2"), ("1", "1.5"), ("1", "true"), ("0", "false"), ("0", "null"), ("1", #""1""#), ("[]", "{}"),
      ("null", "[]"),
      (#""""#, "null"), ("9.99", "9.9899997711181641"), ("9007199254740993", "9007199254740992.0"),
      ("9223372036854775807", "9223372036854775808"), (#""a""#, #""A""#), ("\"\u{E9}\"", "\"e\u{301}\""),
      ("18446744073709551615", "18446744073709551615.0"), ("9223372036854775809", "9223372036854775808.0"),
      ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), (#"{"a":1}"#, #"{"a":1,"b":null}"#), (#"{"a":null}"#, "{}"),
      (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#),
      ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}"),
    ])
  func different(left: String, right: String) throws {
    #expect(try value(left) != value(right))
    #expect(try value(right) != value(left))
  }

  @Test(
    "Members by name",
    arguments: [("a", .integer(1)), ("b", .null), ("c", nil), ("A", nil), ("", .string(""))] as [(String, JSON?)])
  func member(key: String, expected: JSON?) {
    let object: JSON = .object([("a", .integer(1)), ("b", .null), ("", .string(""))])
    #expect(object[key] == expected)
  }

  @Test("Only an object has members", arguments: [.null, .array([.null]), .string("a"), .integer(1)] as [JSON])
  func noMembers(value: JSON) { #expect(value["a"] == nil && value["0"] == nil) }

  @Test("Optional text") func optional() {
    #expect((["x", "", nil] as [String?]).map(JSON.optional) == [.string("x"), .string(""), .null])
  }

  private func value(_ text: String) throws(JSONError) -> JSON { try JSONReader.read(Array(text.utf8)).value }
}
