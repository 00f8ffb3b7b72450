/// How wide the columns in front of a step's outcome are.
///
/// A replay prints each step when it has run, and cannot know the lines that follow. What is known is what the check
/// before the first step has read: the lines and names of all lists that can be read twice. So both columns are as wide as
/// their content; the names' one within limits, so that short lists look alike and a long name does not push all outcomes
/// away. Of a pipe nothing is known, and it gets the least.
struct StepColumns: Sendable, Equatable {
  /// The least for the name of a step.
  static let least = 20
  /// The most, beyond which a name pushes only its own outcome: room for an identifier and an event; on a terminal of 80
  /// columns as much as leaves the outcome on the line.
  static let most = (narrow: 32, wide: 56)
  /// Below this a terminal is narrow.
  private static let wideTerminal = 120

  /// Digits of the largest line number.
  var number: Int
  /// Of the phone's name and the step's.
  var title: Int

  /// In front of the lines below a step.
  var indent: String { String(repeating: " ", count: number + 2) }

  /// - Parameters:
  ///   - widest: the columns of the widest name.
  ///   - terminal: its columns; nil where the lines go elsewhere.
  init(lines: Int, widest: Int, terminal: Int? = nil) {
    number = String(lines).count
    let isNarrow = terminal.map { $0 < Self.wideTerminal } ?? false
    title = min(max(widest, Self.least), isNarrow ? Self.most.narrow : Self.most.wide)
  }
}
