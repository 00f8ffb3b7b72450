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
