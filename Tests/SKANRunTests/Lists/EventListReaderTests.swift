import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
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

  @Test("Problems are equal when they say the same of the same line, by the same way")
  func equality() {
    let problem = ListProblem(
      file: "b", line: 2, problem: SourceProblem("x", at: 0..<1), text: [1], includedFrom: [("a", 1)])
    var others = Array(repeating: problem, count: 6)
    others[1].file = "c"
    others[2].line = 3
    others[3].problem = SourceProblem("y", at: 0..<1)
    others[4].text = [2]
    others[5].includedFrom = [("a", 2)]
    #expect(others.map { $0 == problem } == [true, false, false, false, false, false])
  }
}

@Suite("Cutting bytes into lines")
struct LineReaderTests {
  @Test("A line without an end comes to an end", .timeLimit(.minutes(TestTime.minutes)), .waits)
  func endless() throws {
    var count = 0
    let source = ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      if count > LineReader.mostPassedOver * 2 { throw .unreadable("it reads on and on") }
      // As a debug build does it quickly.
      if let start = buffer.baseAddress { memset(start, 0x78, buffer.count) }
      count += buffer.count
      return buffer.count
    }
    let reader = LineReader(source)
    guard case .tooLong? = try reader.next() else {
      Issue.record("it is not too long")
      return
    }
    #expect(try reader.next() == nil)
  }

  @Test("A failure is passed on")
  func failure() throws {
    let reader = LineReader(ByteSource(isRegular: true) { _ throws(SourceFailure) in throw .unreadable("bad disk") })
    #expect(throws: SourceFailure.unreadable("bad disk")) { try reader.next() }
  }
}

@Suite("Steps that are read ahead of their turn")
struct ReadAheadTests {
  /// Lines of every kind, many of them twice behind each other.
  private static let kinds = [
    #"{"op":"device","device":"a"}"#, #"{"op":"device","device":"b","ios":"16.1"}"#,
    #"{"op":"register","device":"a","at":1767225600}"#, #"{"op":"session","device":"b","after":"1h"}"#,
    #"{"device":"a","op":"event","name":"level_up"}"#, #"{"op":"event","device":"b","name":"\u0061 b","took":2}"#,
    #"{"op":"revenue","device":"a","amount":1.5,"currency":"EUR","ad_monetization":true}"#,
    #"{"op":"session","device":"nobody"}"#, #"{"op":"session","device":7}"#, #"{"op":"sesion"}"#, #"{"op":"session""#,
    #"["no step"]"#, "# a comment", "", "  ", #"{"op":"event","device":"a","name":"${word}"}"#,
    #"{"op":"event","device":"a","name":"${unknown}"}"#, #"{"op":"event","device":"a","name":"$${"}"#,
    #"{"op":"include","file":"other"}"#, #"{"op":"include","file":"none"}"#, #"{"op":"include","file":"array"}"#,
    #"{"op":"include","file":"other","skip":"not now"}"#, #"{"op":"details","device":"a","skip":"why"}"#,
  ]

  /// As it arrives in pieces of this many bytes.
  private static func source(_ text: String, pieces: Int) -> ByteSource {
    var rest = Array(text.utf8)[...]
    return ByteSource(isRegular: true) { buffer throws(SourceFailure) in
      let piece = rest.prefix(min(pieces, buffer.count))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }

  private static func lines(_ list: String, pieces: Int) throws -> [String] {
    var others = 0
    var options = ListReader.Options()
    options.variables = Variables(["word": "a \"quoted\" one"])
    options.open = { path throws(SourceFailure) in
      switch path {
      case "other": return source("# included\n" + kinds[2...6].joined(separator: "\n"), pieces: pieces)
      // No list: of what follows nothing is a step, nor declares a phone.
      case "array":
        return source("[\n" + kinds[0] + "\n" + #"{"op":"device","device":"nobody"}"# + "\n]", pieces: pieces)
      default: throw .missing
      }
    }
    options.seesOtherLine = { _ in others += 1 }
    let reader = ListReader("list", source(list, pieces: pieces), options)
    var reported: [String] = []
    var step = Step(.details)
    while let item = try reader.next(into: &step) {
      let line = reader.withCurrentLine { String(decoding: $0, as: UTF8.self) }
      switch item {
      case .step:
        reported.append("\(reader.location) \(others) \(step.device) \(step.operation) \(step.time as Any) \(line)")
      case .problems(let problems): reported.append("\(reader.location) \(others) \(problems)")
      }
    }
    reported.append("\(reader.declaresTooLate) \(others) \(reader.consumed)")
    return reported
  }

  @Test("What is read does not depend on how much of it is at hand", arguments: Rounds.of(10))
  func pieces(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var list: [String] = []
    for _ in 0..<200 {
      // Mostly steps, so that many are read ahead.
      let kind = random.next() % 4 > 0 ? Int(random.next() % 7) : Int(random.next() % UInt64(Self.kinds.count))
      list.append(Self.kinds[kind])
    }
    let text = list.joined(separator: "\n") + (seed % 2 == 0 ? "\n" : "")
    let whole = try Self.lines(text, pieces: .max)
    for pieces in [1, 100, 1000] { #expect(try Self.lines(text, pieces: pieces) == whole) }
    #expect(whole.count > 100)
  }

  @Test("Behind the first line of what is no list nothing is read")
  func noList() throws {
    for list in ["[\n" + Self.kinds[0..<3].joined(separator: "\n") + "\n]", "{\n" + Self.kinds[2] + "\n}"] {
      let lines = try read(list)
      #expect(lines.count == 1 && lines[0].step == nil && lines[0].problems.count == 1)
    }
  }

  @Test("A step of a pipe is given before the next line comes")
  func doesNotWait() throws {
    var pieces = [#"{"op":"register"}"# + "\n" + #"{"op":"session"}"# + "\n" + #"{"op":"#, #""session"}"# + "\n"]
    var reads = 0
    let reader = ListReader(
      "-",
      ByteSource(isRegular: false) { buffer throws(SourceFailure) in
        reads += 1
        guard !pieces.isEmpty else { return 0 }
        let piece = Array(pieces.removeFirst().utf8)
        buffer.copyBytes(from: piece)
        return piece.count
      })
    var step = Step(.details)
    var reported: [Int] = []
    while try reader.next(into: &step) != nil { reported.append(reads) }
    #expect(reported == [1, 1, 2])
  }
}
