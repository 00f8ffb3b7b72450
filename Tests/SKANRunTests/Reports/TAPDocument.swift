import SKANBase

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
