import SKANJSON
import Testing

@testable import SKANReplay

@Suite("Reading an event list")
struct EventListReaderTests {
  @Test(
    "What is no step",
    arguments: [
      ("", true), ("   ", true), ("\t \r", true), ("\r", true), ("# a comment", true), ("#", true),
      ("#{\"op\":\"details\"}", true),
      (#"{"op":"details"}"#, false), ("  {\"op\":\"details\"}\t\r", false),
    ])
  func skipped(line: String, isSkipped: Bool) throws {
    var reader = EventListReader()
    #expect((try reader.step(from: Array(line.utf8)) == nil) == isSkipped)
  }

  @Test(
    "A comment begins at the line's first byte",
    arguments: [" # c", "{\"op\":\"details\"} # c", "// c", "\u{A0}", "\u{C}"])
  func noComment(line: String) {
    #expect(EventListReader.check(Array(line.utf8)).count == 1)
  }

  @Test(
    "Lines are counted from 1, ends of both kinds, with and without a last one", arguments: ["\n", "\r\n"],
    [true, false])
  func lines(end: String, hasLastEnd: Bool) {
    let texts = ["# c", "", #"{"op":"register"}"#, #"{"op":"oops"}"#, #"{"op":"details"}"#, "x"]
    let list = Array((texts.joined(separator: end) + (hasLastEnd ? end : "")).utf8)
    #expect(EventListReader.check(list).map(\.line) == [4, 6])
    #expect(Array(EventListReader.lines(of: list)).map(\.number).prefix(6) == [1, 2, 3, 4, 5, 6])
  }

  @Test("All problems at once, in the order of the lines, with what is wrong where")
  func all() throws {
    let list = """
      {"op":"register","lable":1,"at":true}
      # {"op":"oops"}
      {"op":"sesion"}

      {"op":"event"}
      not JSON
      {"op":"details"}
      """
    let problems = EventListReader.check(Array(list.utf8))
    #expect(problems.map(\.line) == [1, 1, 3, 5, 6])
    #expect(
      problems.map {
        String(
          decoding: $0.text[
            min($0.problem.range.lowerBound, $0.text.count)..<min($0.problem.range.upperBound, $0.text.count)],
          as: UTF8.self)
      }
        == ["\"lable\"", "true", "\"sesion\"", #"{"op":"event"}"#, "n"])
    #expect(problems.last?.problem.message.hasPrefix("not JSON: ") == true)
    #expect(
      String(decoding: try #require(problems.first).text, as: UTF8.self) == #"{"op":"register","lable":1,"at":true}"#)
  }

  @Test(
    "Names of phones",
    arguments: [
      ([#"{"op":"details"}"#, #"{"op":"details"}"#], []),
      ([#"{"op":"details","device":"a"}"#, #"{"op":"details","device":"a"}"#], []),
      ([#"{"op":"details","device":"a"}"#, #"{"op":"details"}"#], [2]),
      ([#"{"op":"details"}"#, #"{"op":"details","device":"b"}"#, #"{"op":"details"}"#], [2]),
      ([#"{"op":"device","device":"a"}"#, #"{"op":"details","device":"a"}"#], []),
      ([#"{"op":"device","device":"a"}"#, #"{"op":"details"}"#], [2]),
      ([#"{"op":"device"}"#, #"{"op":"details"}"#, #"{"op":"details","device":"a"}"#], [3]),
      // Once any line declares a phone, a step before it belongs to none.
      ([#"{"op":"details","device":"a"}"#, #"{"op":"device","device":"a"}"#, #"{"op":"details","device":"a"}"#], [1]),
      (
        [
          #"{"op":"device","device":"a"}"#, #"{"op":"device","device":"b"}"#, #"{"op":"details","device":"b"}"#,
          #"{"op":"device","device":"a"}"#,
        ], []
      ),
      ([#"{"op":"device","device":"é"}"#, "{\"op\":\"details\",\"device\":\"\\u00e9\"}"], []),
    ] as [([String], [Int])])
  func names(lines: [String], wrong: [Int]) {
    #expect(EventListReader.check(Array(lines.joined(separator: "\n").utf8)).map(\.line) == wrong)
  }

  @Test(
    "A name that was not declared",
    arguments: [
      ("Anna", "no device step before this one declares the phone \"Anna\"; did you mean \"Ann\"?"),
      ("Zed", "no device step before this one declares the phone \"Zed\"; add {\"op\":\"device\",\"device\":\"Zed\"}"),
      ("", "no device step before this one declares the phone \"\"; add {\"op\":\"device\",\"device\":\"\"}"),
    ])
  func undeclared(name: String, message: String) throws {
    let line = "{\"op\":\"details\",\"device\":\"\(name)\"}"
    let problem = try #require(
      EventListReader.check(Array("{\"op\":\"device\",\"device\":\"Ann\"}\n\(line)".utf8)).first)
    #expect(problem.problem == SourceProblem(message, at: 25..<line.utf8.count - 1))
  }

  @Test("A second phone in a list that declares none")
  func second() throws {
    var reader = EventListReader()
    _ = try reader.step(from: Array(#"{"op":"details"}"#.utf8))
    let error = #expect(throws: SourceProblems.self) {
      try reader.step(from: Array(#"{"op":"details","device":"b"}"#.utf8))
    }
    #expect(
      error?.problems.map(\.message) == ["a second phone \"b\" in a list that declares none: give each a device step"])
  }

  @Test("A list read as it arrives may declare its phones later")
  func stream() throws {
    var reader = EventListReader()
    for line in [#"{"op":"details"}"#, #"{"op":"device","device":"a"}"#, #"{"op":"details","device":"a"}"#] {
      _ = try reader.step(from: Array(line.utf8))
    }
    #expect(throws: SourceProblems.self) { try reader.step(from: Array(#"{"op":"details"}"#.utf8)) }
  }

  @Test(
    "Whether a list declares its phones",
    arguments: [
      ("", false), (#"{"op":"details"}"#, false), (##"#{"op":"device"}"##, false), ("x\n{\"op\":\"device\"}\r\n", true),
    ])
  func declares(list: String, expected: Bool) {
    #expect(EventListReader.declaresDevices(Array(list.utf8)) == expected)
  }
}
