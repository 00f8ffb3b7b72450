import Testing

@testable import SKANBase

@Suite("JSON reader: numbers")
struct JSONReaderNumberTests {
  @Test(
    "Whole numbers within 64 bits are integers",
    arguments: [
      ("0", 0), ("7", 7), ("-1", -1), ("63", 63), ("4294967297", 4_294_967_297),
      ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ] as [(String, Int64)])
  func integers(text: String, expected: Int64) throws {
    guard case .integer(let number) = try content(text) else {
      Issue.record("\(text) is no integer")
      return
    }
    #expect(number == expected)
  }

  @Test(
    "All others are doubles, whole ones too",
    arguments: [
      ("0.0", 0), ("-0.0", -0.0), ("64.0", 64), ("1.7", 1.7), ("-0.5", -0.5), ("1e1", 10), ("1E1", 10), ("1e+1", 10),
      ("1e-1", 0.1), ("0e0", 0), ("-0e5", -0.0), ("1.5e3", 1500), ("9.9899997711181641", 9.989_999_771_118_164),
      ("0.1000000000000000055511151231257827", 0.1), ("9223372036854775808.0", 9.223_372_036_854_775_808e18),
      ("-9223372036854775809", -9.223_372_036_854_775_808e18), ("1e308", 1e308),
      ("1.7976931348623157e308", 1.797_693_134_862_315_7e308), ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0),
      ("0e999999999", 0),
      ("100000000000000000000000000000000000000000000000000", 1e50),
    ] as [(String, Double)])
  func doubles(text: String, expected: Double) throws {
    guard case .double(let number) = try content(text) else {
      Issue.record("\(text) is no double")
      return
    }
    #expect(number == expected)
    #expect(number.sign == expected.sign)
  }

  @Test("Whole numbers beyond Int64, as far as 64 bits go", arguments: ["9223372036854775808", "18446744073709551615"])
  func unsigned(text: String) throws {
    #expect(try JSONReader.read(Array(text.utf8)).value == .unsigned(#require(UInt64(text))))
  }

  @Test("-0 keeps its sign in our files, and is the integer in an answer")
  func minusZero() throws {
    guard case .double(let number) = try content("-0") else {
      Issue.record("no double")
      return
    }
    #expect(number.sign == .minus)
    guard case .integer(0) = try JSONReader.read(Array("-0".utf8), dialect: .phone).content else {
      Issue.record("no integer")
      return
    }
  }

  @Test(
    "What no number is",
    arguments: [
      ("-", .unexpectedEnd, 1), ("1.", .unexpectedEnd, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
      ("-a", .badNumber, 1), ("--1", .badNumber, 1), ("-.5", .badNumber, 1), ("1.e5", .badNumber, 2),
      ("[1.]", .badNumber, 3), ("[1e]", .badNumber, 3), ("[-]", .badNumber, 2),
      ("09", .badNumber, 1), ("-01", .badNumber, 2), ("00", .badNumber, 1), ("[ 01.5 ]", .badNumber, 3),
      ("1e400", .numberTooLarge, 0), ("[ -1e400 ]", .numberTooLarge, 2),
      ("0x10", .trailingText, 1), ("1_000", .trailingText, 1), ("1,5", .trailingText, 1), ("1.5.5", .trailingText, 3),
      ("1e5e5", .trailingText, 3), ("1f", .trailingText, 1), ("-Infinity", .badNumber, 1),
    ] as [(String, JSONError.Problem, Int)])
  func rejected(text: String, problem: JSONError.Problem, offset: Int) {
    for dialect in [JSONDialect.strict, .phone] {
      #expect(throws: JSONError(problem: problem, offset: offset)) {
        try JSONReader.read(Array(text.utf8), dialect: dialect)
      }
    }
  }

  @Test("A number of 10,000 digits is too large, with 10,000 decimals it is not")
  func long() throws {
    let digits = String(repeating: "9", count: 10_000)
    #expect(throws: JSONError(problem: .numberTooLarge, offset: 0)) { try content(digits) }
    guard case .double(let number) = try content("0.\(digits)") else {
      Issue.record("no double")
      return
    }
    #expect(number == 1)
  }

  private func content(_ text: String) throws(JSONError) -> JSONNode.Content {
    try JSONReader.read(Array(text.utf8)).content
  }
}
