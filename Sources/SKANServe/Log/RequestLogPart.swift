/// A part of a line of ``RequestLog`` that stands out on a terminal. What it means the text says, too.
package struct RequestLogPart: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case time, success, failure, finding }

  package let kind: Kind
  /// Byte offsets in the piece that has the line.
  package let range: Range<Int>

  package init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}
