/// What a line of a list holds.
package enum ListEntry: Sendable, Equatable {
  /// Also an `include` that is skipped.
  case step
  /// Another list stands in the place of the line; where its name does.
  case include(String, at: Range<Int>)
  /// Nothing: it is blank, or a comment.
  case nothing
}
