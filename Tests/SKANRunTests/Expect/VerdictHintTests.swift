import SKANBase
import Testing

@testable import SKANRun

@Suite("What may be meant by an expectation that is not met")
struct VerdictHintTests {
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
