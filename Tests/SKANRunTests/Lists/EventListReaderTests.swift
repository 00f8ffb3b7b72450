import SKANBase
import Testing

@testable import SKANRun

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
    #expect(try read(line).isEmpty == isSkipped)
  }

  @Test(
    "A comment begins at the line's first byte",
    arguments: [" # c", "{\"op\":\"details\"} # c", "// c", "\u{A0}", "\u{C}"])
  func noComment(line: String) throws {
    #expect(try check(line).count == 1)
  }

  @Test(
    "Lines are counted from 1, ends of both kinds, with and without a last one", arguments: ["\n", "\r\n"],
    [true, false])
  func lines(end: String, hasLastEnd: Bool) throws {
    let texts = ["# c", "", #"{"op":"register"}"#, #"{"op":"oops"}"#, #"{"op":"details"}"#, "x"]
    let list = texts.joined(separator: end) + (hasLastEnd ? end : "")
    #expect(try check(list).map(\.line) == [4, 6])
    #expect(try read(list).map(\.line) == [3, 4, 5, 6])
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
    let problems = try check(list)
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
  func names(lines: [String], wrong: [Int]) throws {
    #expect(try check(lines.joined(separator: "\n")).map(\.line) == wrong)
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
    let problem = try #require(try check("{\"op\":\"device\",\"device\":\"Ann\"}\n\(line)").first)
    #expect(problem.problem == SourceProblem(message, at: 25..<line.utf8.count - 1))
  }

  @Test("A second phone in a list that declares none")
  func second() throws {
    let lines = try read(#"{"op":"details"}"# + "\n" + #"{"op":"details","device":"b"}"#)
    #expect(
      lines.last?.problems.map(\.problem.message) == [
        "a second phone \"b\" in a list that declares none: give each a device step"
      ])
  }

  @Test("A list read as it arrives may declare its phones later")
  func stream() throws {
    let lines = [
      #"{"op":"details"}"#, #"{"op":"device","device":"a"}"#, #"{"op":"details","device":"a"}"#, #"{"op":"details"}"#,
    ]
    #expect(try read(lines.joined(separator: "\n")).map { $0.step != nil } == [true, true, true, false])
  }

  @Test(
    "Whether phones are declared only after a step for another",
    arguments: [
      ("", false), (#"{"op":"details"}"#, false), (##"#{"op":"device"}"##, false),
      ("{\"op\":\"details\"}\n{\"op\":\"device\"}\r\n", true), ("{\"op\":\"device\"}\n{\"op\":\"details\"}", false),
    ])
  func declares(list: String, expected: Bool) throws {
    let reader = ListReader("list", ByteSource(Array(list.utf8)))
    var step = Step(.details)
    while try reader.next(into: &step) != nil {}
    #expect(reader.declaresTooLate == expected)
  }
}
