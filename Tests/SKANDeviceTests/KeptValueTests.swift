import Testing

@testable import SKANDevice

@Suite("Kept values as integers, booleans and text")
struct KeptValueTests {
  struct Row: Sendable {
    var value: KeptValue
    var int32: Int32
    var int64: Int64
    var text: String?
    var isTruthy: Bool

    init(_ value: KeptValue, _ int32: Int32, _ int64: Int64, _ text: String?, _ isTruthy: Bool) {
      self.value = value
      self.int32 = int32
      self.int64 = int64
      self.text = text
      self.isTruthy = isTruthy
    }
  }

  @Test(
    "All readings of a value",
    arguments: [
      Row(.integer(0), 0, 0, "0", false), Row(.integer(63), 63, 63, "63", true), Row(.integer(-1), -1, -1, "-1", true),
      Row(.integer(4_294_967_296), 0, 4_294_967_296, "4294967296", true),
      Row(.integer(4_294_967_297), 1, 4_294_967_297, "4294967297", true),
      Row(.integer(-4_294_967_296), 0, -4_294_967_296, "-4294967296", true),
      Row(.integer(2_147_483_648), .min, 2_147_483_648, "2147483648", true),
      Row(.integer(.max), -1, .max, "9223372036854775807", true),
      Row(.integer(.min), 0, .min, "-9223372036854775808", true),
      Row(.double(1.7), 1, 1, "1.7", true), Row(.double(63.9), 63, 63, "63.9", true),
      Row(.double(-0.5), 0, 0, "-0.5", true), Row(.double(-1.9), -1, -1, "-1.9", true),
      Row(.double(5), 5, 5, "5", true), Row(.double(0), 0, 0, "0", false), Row(.double(-0.0), 0, 0, "-0", false),
      Row(.double(0.1), 0, 0, "0.1", true), Row(.double(1.0 / 3), 0, 0, "0.3333333333333333", true),
      Row(.double(0.00001), 0, 0, "1e-05", true),
      Row(.bool(true), 1, 1, "1", true), Row(.bool(false), 0, 0, "0", false),
      Row(.string("5"), 5, 5, nil, true), Row(.string("abc"), 0, 0, nil, false),
    ])
  func readings(row: Row) {
    #expect(row.value.int32 == row.int32)
    #expect(row.value.int64 == row.int64)
    #expect(row.value.decimalText == row.text)
    #expect(row.value.isTruthy == row.isTruthy)
  }

  @Test(
    "Decimal text of large and small doubles",
    arguments: [(1e15, "1000000000000000"), (1e17, "1e+17"), (0.00001, "1e-05")])
  func decimals(number: Double, text: String) {
    #expect(KeptValue.double(number).decimalText == text)
  }

  @Test(
    "A string as an integer: white space, a sign, digits, then stop",
    arguments: [
      ("5", 5, 5), (" 8", 8, 8), ("\t\n\u{B}\u{C}\r 8", 8, 8), ("5abc", 5, 5), ("5.9", 5, 5), ("1e1", 1, 1),
      ("-3", -3, -3),
      ("+3", 3, 3), ("007", 7, 7), ("- 3", 0, 0), ("--3", 0, 0), ("+-3", 0, 0), ("", 0, 0), (" ", 0, 0), ("abc", 0, 0),
      ("a5", 0, 0), ("0x10", 0, 0), ("\u{A0}8", 0, 0), ("８", 0, 0), ("1 2", 1, 1),
      ("2147483647", .max, 2_147_483_647), ("2147483648", .max, 2_147_483_648), ("4294967297", .max, 4_294_967_297),
      ("-2147483648", .min, -2_147_483_648), ("-2147483649", .min, -2_147_483_649),
      ("9223372036854775807", .max, .max), ("9223372036854775808", .max, .max), ("99999999999999999999999", .max, .max),
      ("-9223372036854775808", .min, .min), ("-99999999999999999999999", .min, .min),
    ] as [(String, Int32, Int64)])
  func strings(text: String, int32: Int32, int64: Int64) {
    #expect(KeptValue.string(text).int32 == int32)
    #expect(KeptValue.string(text).int64 == int64)
    #expect(KeptValue.string(text).decimalText == nil)
  }

  @Test(
    "A string as a boolean",
    arguments: [
      ("YES", true), ("yes", true), ("Y", true), ("true", true), ("TRUE", true), ("t", true), ("1", true), ("9", true),
      ("01", true), ("0001", true), (" 1", true), ("\t\n+1", true), ("-1", true), ("-5", true), ("+0y", true),
      ("00T", true),
      ("10", true), ("typo", true), ("yeti", true),
      ("", false), (" ", false), ("0", false), ("000", false), ("no", false), ("NO", false), ("false", false),
      ("n", false),
      ("0.5", false), ("on", false), ("+", false), ("--1", false), ("0 1", false), ("0-1", false), ("１", false),
      ("\u{A0}1", false), ("ok", false),
    ])
  func truthiness(text: String, expected: Bool) {
    #expect(KeptValue.string(text).isTruthy == expected)
  }

  @Test(
    "As a coarse value for the framework",
    arguments: [
      (.integer(0), .low), (.integer(1), .medium), (.integer(2), .high), (.integer(3), nil), (.integer(-1), nil),
      (.integer(4_294_967_296), nil), (.double(1.9), .medium), (.double(-0.5), .low), (.double(2.9), .high),
      (.bool(true), .medium), (.bool(false), .low), (.string("1"), .medium), (.string("high"), .low),
      (.string("3"), nil),
    ] as [(KeptValue, CoarseValue?)])
  func coarse(value: KeptValue, expected: CoarseValue?) {
    #expect(CoarseValue(value) == expected)
  }
}
