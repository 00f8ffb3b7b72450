import SKANBase
import SKANDevice
import Testing

@testable import SKANRun

@Suite("The TAP report")
struct TAPReportTests {
  private func document(_ report: ReplayReport) throws -> TAPDocument {
    try TAPDocument(ReportForm.tap.text(of: report))
  }

  @Test("A point a step")
  func whole() {
    let odd = StepRecord.ran(12) {
      $0.label = "l"
      $0.findings = [.emptyName]
    }
    let report = report(
      of: .ran(2), .skipped(3, "not yet"),
      .failed(
        4, .unmet("outcome", .string("set"), .string("read")), .unmet("details", .object([("a", .integer(1))]), .null)),
      odd, problems: ["lists/a.jsonl:13:1: one", "two"], stop: .error("interrupted\nsecond line"))
    #expect(
      ReportForm.tap.text(of: report) == """
        TAP version 14
        1..5
        ok 1 - lists/a.jsonl:2 details
        ok 2 - lists/a.jsonl:3 session # SKIP not yet
        not ok 3 - lists/a.jsonl:4 details
          ---
          message: "outcome: expected \\"set\\", got \\"read\\" (and 1 more)"
          severity: "fail"
          file: "lists/a.jsonl"
          line: 4
          outcome: "read"
          explanation: "Nothing is kept yet."
          expectations:
            - path: "outcome"
              expected: "set"
              actual: "read"
            - path: "details"
              expected: {"a":1}
              actual: null
          ...
        ok 4 - lists/a.jsonl:12 details: l
        # finding: The event name is empty. [empty-name]
        not ok 5 - lists/a.jsonl: the list
          ---
          message: "lists/a.jsonl:13:1: one"
          severity: "error"
          problems:
            - message: "lists/a.jsonl:13:1: one"
            - message: "two"
          ...
        Bail out! interrupted

        """)
    #expect(throws: Never.self) { try document(report) }
  }

  @Test("With --strict a finding is a failure")
  func strict() throws {
    let point = try #require(
      try document(report(of: .ran(1) { $0.findings = [.emptyName] }, isStrict: true)).points.first)
    #expect(!point.isOK && point.comments.isEmpty)
    #expect(
      point.block.suffix(3) == [
        "findings:", "  - code: \"empty-name\"", "    message: \"The event name is empty.\"",
      ])
  }

  @Test("Nothing ran")
  func nothing() throws {
    let empty = try document(report(of: []))
    #expect(empty.points.isEmpty && empty.planReason == "no steps" && empty.bailOut == nil)
    #expect(try document(report(of: [], stop: .error("a # and \\"))).bailOut == "a # and \\")
    #expect(try document(report(of: .ran(1), stop: .atFailure)).bailOut != nil)
  }

  @Test(
    "Whatever a label or a reason is, it reads back",
    arguments: [
      "plain", "# SKIP", "a # SKIP b", ##"a \# SKIP"##, #"\"#, ##"\\#"##, "#\u{301} \\\u{301}", "ends with #", " ",
      "TODO",
      "1..5", "ok 2 - x", "Bail out!", "ü 🎉",
    ])
  func escapes(text: String) throws {
    let document = try document(report(of: .ran(1) { $0.label = text }, .skipped(2, text)))
    #expect(document.points[0].description == "lists/a.jsonl:1 details: \(text)")
    #expect(document.points[0].skip == nil)
    #expect(document.points[1].skip == text)
  }

  @Test("Lines stay lines", arguments: ["\n", "\r\n", "\u{1}", "\u{85}", "\u{2028}", "\t"])
  func lines(text: String) throws {
    let step = StepRecord.failed(1, .unmet("label", .string(text), .string("\u{FEFF}\u{FFFE}\u{FFFF}\(text)")))
    let document = try document(
      report(
        of: .ran(1) { $0.label = "a\(text)b" }, .skipped(2, "a\(text)b"), step, problems: ["a\(text)b"],
        stop: .error("a\(text)b")))
    #expect(document.points[0].description == "lists/a.jsonl:1 details: a\("\(text)".oneLine)b")
    #expect(document.points[1].skip == "a\("\(text)".oneLine)b")
    #expect(document.points[2].block.contains { $0.contains(#"actual: "\ufeff\ufffe\uffff"#) })
    #expect(document.points.count == 4)
  }
}

/// A reader of version 14 of the Test Anything Protocol, as strict as its text, for what our reports have of it.
struct TAPDocument: Equatable {
  struct Point: Equatable {
    var isOK: Bool
    var description: String
    var skip: String?
    /// The lines of the YAML block, its indentation taken off.
    var block: [String] = []
    var comments: [String] = []
  }

  struct Problem: Error, Equatable {
    var words: String
    init(_ words: String) { self.words = words }
  }

  var points: [Point] = []
  var planReason: String?
  var bailOut: String?

  init(_ text: String) throws(Problem) {
    guard text.hasSuffix("\n") else { throw Problem("the last line has no end") }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()[...]
    guard lines.popFirst() == "TAP version 14" else { throw Problem("no version") }
    guard let plan = lines.popFirst(), let match = plan.wholeMatch(of: /1\.\.(0|[1-9][0-9]*)(?: # (.+))?/),
      let planned = Int(match.output.1)
    else { throw Problem("no plan") }
    planReason = match.output.2.map(String.init)
    while let line = lines.popFirst() {
      guard bailOut == nil else { throw Problem("after the bail out: \(line)") }
      if line == "  ---" {
        try readBlock(&lines)
      } else if line.hasPrefix("# ") {
        guard !points.isEmpty else { throw Problem("a comment of nothing: \(line)") }
        points[points.count - 1].comments.append(String(line.dropFirst(2)))
      } else if line.hasPrefix("Bail out! ") {
        bailOut = Self.unescaped(line.dropFirst(10))
      } else {
        try readPoint(line)
      }
    }
    guard points.count == planned else { throw Problem("\(planned) planned, \(points.count) there") }
  }

  private mutating func readPoint(_ line: String) throws(Problem) {
    guard let match = line.wholeMatch(of: /(not )?ok ([1-9][0-9]*) - (.+)/), let number = Int(match.output.2) else {
      throw Problem("no line of the protocol: \(line)")
    }
    guard number == points.count + 1 else { throw Problem("number \(number) after \(points.count)") }
    var point = Point(isOK: match.output.1 == nil, description: String(match.output.3))
    // The first # that is not escaped and stands between blanks begins a directive.
    var isEscaped = false
    let characters = Array(match.output.3)
    for (index, character) in characters.enumerated() {
      if character == "#", !isEscaped, index > 0, characters[index - 1] == " ", index + 1 < characters.count,
        characters[index + 1] == " "
      {
        let directive = String(characters[(index + 2)...])
        guard directive.hasPrefix("SKIP ") else { throw Problem("an unknown directive: \(directive)") }
        point.description = String(characters[..<(index - 1)])
        point.skip = Self.unescaped(directive.dropFirst(5))
        break
      }
      isEscaped = character == "\\" && !isEscaped
    }
    point.description = Self.unescaped(point.description[...])
    points.append(point)
  }

  private mutating func readBlock(_ lines: inout ArraySlice<String>) throws(Problem) {
    guard let last = points.last, last.block.isEmpty, last.comments.isEmpty else { throw Problem("a block of nothing") }
    while let line = lines.popFirst() {
      if line == "  ..." { return }
      // A list of objects, or a key and a value that is JSON.
      guard let match = line.wholeMatch(of: #/  (?:    |  - )?[a-z]+:(?: (.+))?/#) else {
        throw Problem("no line of a block: \(line)")
      }
      if let value = match.output.1, (try? JSONReader.read(Array(String(value).utf8))) == nil {
        throw Problem("no value: \(value)")
      }
      points[points.count - 1].block.append(String(line.dropFirst(2)))
    }
    throw Problem("a block without end")
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    // By scalars: an accent may follow a # or a backslash.
    for scalar in text.unicodeScalars {
      if scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      if isEscaped, scalar != "\\", scalar != "#" { result += "\\" }
      result.unicodeScalars.append(scalar)
      isEscaped = false
    }
    return result
  }
}
