/// Something wrong with a file's content: what, and the bytes that it is about.
package struct SourceProblem: Error, Equatable, Sendable {
  /// How many problems of a text are reported; the others are counted.
  package static let mostReported = 100

  package var message: String
  /// Byte offsets in the file.
  package var range: Range<Int>
  /// Whether the content can be used in spite of it.
  package var isWarning: Bool

  package init(_ message: String, at range: Range<Int>, isWarning: Bool = false) {
    self.message = message
    self.range = range
    self.isWarning = isWarning
  }
}

/// Everything that is wrong with a text, in the order of its locations.
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

  /// The same in a text with lines in front.
  package func moved(by lines: Int) -> SourceNote {
    var note = self
    note.location.line += lines
    return note
  }
}

/// Why a text cannot be used: every problem with its location.
package struct SourceNotes: Error, Sendable, Equatable {
  package let notes: [SourceNote]
  /// How many there are besides.
  package let more: Int

  package init(_ notes: [SourceNote], more: Int = 0) {
    self.notes = notes
    self.more = more
  }
}

extension SourceProblems {
  /// The first problems with their locations in the text that they are about, at most ``SourceProblem/mostReported``.
  package func notes(in bytes: [UInt8]) -> [SourceNote] {
    var locations = TextLocations(bytes)
    return problems.prefix(SourceProblem.mostReported).map {
      SourceNote(location: locations.location(of: $0.range), message: $0.message, isWarning: $0.isWarning)
    }
  }
}

/// A location in a text as a person counts: line and column from 1, the column in characters.
package struct TextLocation: Equatable, Sendable {
  package var line: Int
  package var column: Int
  /// The line, without its end; of a long one what stands around the location.
  package var text: String
  /// How many characters of the line stand before ``text``.
  package var skipped = 0
  /// Whether the line goes on behind ``text``.
  package var isCut = false
  /// How many characters the range covers on this line, at least 1.
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

/// Finds locations in a text. Those that come in their order are found in one pass, however long the lines are.
package struct TextLocations {
  /// How many bytes of the line are kept before and after a location.
  private static let around = 1000

  private let bytes: [UInt8]
  /// How far the text was walked, and where that is.
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  /// Characters between the two.
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
