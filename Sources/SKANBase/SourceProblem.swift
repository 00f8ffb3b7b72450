/// A problem with the contents of a file, and the bytes that it concerns.
package struct SourceProblem: Error, Equatable, Sendable {
  /// The number of problems reported for a text; further ones are counted.
  package static let mostReported = 100

  package var message: String
  /// Byte offsets in the file.
  package var range: Range<Int>
  /// Whether the content is usable in spite of the problem.
  package var isWarning: Bool

  package init(_ message: String, at range: Range<Int>, isWarning: Bool = false) {
    self.message = message
    self.range = range
    self.isWarning = isWarning
  }
}

/// All problems of a text, in the order of their locations.
package struct SourceProblems: Error, Equatable, Sendable, ExpressibleByArrayLiteral {
  package let problems: [SourceProblem]

  package init(_ problems: [SourceProblem]) {
    self.problems = problems.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  package init(arrayLiteral elements: SourceProblem...) { problems = elements }
}

/// A problem and its location in a text.
package struct SourceNote: Sendable, Equatable {
  package var location: TextLocation
  package var message: String
  package var isWarning: Bool

  package init(location: TextLocation, message: String, isWarning: Bool = false) {
    self.location = location
    self.message = message
    self.isWarning = isWarning
  }

  /// The note for a text with `lines` more lines in front.
  package func moved(by lines: Int) -> SourceNote {
    var note = self
    note.location.line += lines
    return note
  }
}

/// Why a text cannot be used: its problems with their locations.
package struct SourceNotes: Error, Sendable, Equatable {
  package let notes: [SourceNote]
  /// The number of further problems.
  package let more: Int

  package init(_ notes: [SourceNote], more: Int = 0) {
    self.notes = notes
    self.more = more
  }
}

extension SourceProblems {
  /// The first problems with their locations in the text, at most ``SourceProblem/mostReported``.
  package func notes(in bytes: [UInt8]) -> [SourceNote] {
    var locations = TextLocations(bytes)
    return problems.prefix(SourceProblem.mostReported).map {
      SourceNote(location: locations.location(of: $0.range), message: $0.message, isWarning: $0.isWarning)
    }
  }
}

/// A location in a text as people count: line and column from 1, the column in characters.
package struct TextLocation: Equatable, Sendable {
  package var line: Int
  package var column: Int
  /// The line without its end; of a long line, the part around the location.
  package var text: String
  /// The number of characters of the line before ``text``.
  package var skipped = 0
  /// Whether the line continues after ``text``.
  package var isCut = false
  /// The number of characters of this line in the range, at least 1.
  package var length: Int

  package init(of range: Range<Int>, in bytes: [UInt8]) {
    var locations = TextLocations(bytes)
    self = locations.location(of: range)
  }

  fileprivate init(line: Int, column: Int, text: String, skipped: Int, isCut: Bool, length: Int) {
    self.line = line
    self.column = column
    self.text = text
    self.skipped = skipped
    self.isCut = isCut
    self.length = length
  }
}

/// Finds locations in a text. Locations in ascending order are found in one pass, however long the lines are.
package struct TextLocations {
  /// The number of bytes of a line kept before and after a location.
  private static let around = 1000

  private let bytes: [UInt8]
  /// The offset reached so far, its line, and the start of that line.
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  /// The number of characters between ``lineStart`` and ``offset``.
  private var column = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func location(of range: Range<Int>) -> TextLocation {
    walk(to: min(range.lowerBound, bytes.count))
    var start = max(lineStart, offset - Self.around)
    if start > lineStart { while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 } }
    let reach = min(bytes.count, offset + Self.around)
    let newline = bytes[offset..<reach].firstIndex(of: 0x0A)
    var end = newline ?? reach
    let isCut = newline == nil && reach < bytes.count
    if isCut {
      while end > offset, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    } else if end > lineStart, bytes[end - 1] == 0x0D {
      end -= 1
    }
    return TextLocation(
      line: line, column: column + 1, text: text(start..<max(start, end)),
      skipped: start > lineStart ? column - text(start..<offset).count : 0, isCut: isCut,
      length: max(1, text(offset..<max(offset, min(range.upperBound, end))).count))
  }

  private mutating func walk(to target: Int) {
    if target < offset { (offset, line, lineStart, column) = (0, 1, 0, 0) }
    let from = offset
    for location in from..<target where bytes[location] == 0x0A {
      line += 1
      lineStart = location + 1
    }
    offset = target
    column = lineStart > from ? text(lineStart..<target).count : column + text(from..<target).count
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
