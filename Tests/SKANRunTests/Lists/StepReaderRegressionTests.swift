import SKANBase
import Testing

@testable import SKANRun

/// Mistakes that were mended, so that they stay so.
@Suite("Mended: reading steps and lists")
struct StepReaderRegressionTests {
  @Test(
    "All problems of a line at once, also when the op's own key is missing or wrong",
    arguments: [
      (#"{"op":"event","label":5,"at":"x","expect":{"outcom":1}}"#, 4), (#"{"op":"event","name":5,"label":5}"#, 2),
      (#"{"op":"event","answer":{},"took":-1}"#, 3), (#"{"op":"revenue","currency":"USD","device":5,"after":"x"}"#, 3),
      (#"{"op":"revenue","amount":"1","currency":5,"at":1,"after":"1s"}"#, 3),
      (#"{"op":"session","answer":{"status":"200"}}"#, 2),
    ])
  func allProblems(line: String, count: Int) {
    #expect(problems(line).count == count, "\(problems(line))")
  }

  @Test("A device line with a slip still declares its phone: only the slip is reported")
  func cascade() throws {
    let list =
      #"{"op":"device","device":"a","ios":17.4}"# + "\n" + #"{"op":"register","device":"a"}"# + "\n"
      + #"{"op":"session","device":"a"}"#
    #expect(try check(list).map(\.line) == [1])
  }

  @Test("A device line with white space before it declares its phone like any other")
  func leadingSpace() throws {
    let list = #"{"op":"register","device":"b"}"# + "\n" + #" {"op":"device","device":"a"}"#
    #expect(try check(list).map(\.line) == [1])
  }

  @Test("A path with an empty part leads nowhere, and is refused", arguments: [".outcome", "..outcome"])
  func emptyPart(path: String) {
    #expect(throws: SourceProblems.self) { try Expected(path: path, text: "null") }
  }

  @Test("An expectation can name the entry of the empty currency")
  func emptyKey() {
    let table: JSON = .object([("details", .object([("", .integer(1)), ("USD", .integer(2))]))])
    #expect(Expected(path: "details.", expected: .integer(1)).verdict(on: table).isMet)
  }

  @Test("After a fresh install `+1h` does not lead back to where the list began")
  func freshInstall() throws {
    let results = try runList([
      #"{"op":"register","at":"2026-03-01T00:00:00Z"}"#, #"{"op":"device"}"#, #"{"op":"register","at":"+1h"}"#,
    ])
    #expect(results[2].at.description == "2026-03-01T01:00:00Z")
  }
}
