/// Whether a postback was received before.
package enum Repetition: String, CaseIterable, Sendable {
  /// The first of its kind: of those that are verified it is the one that counts.
  case first
  /// It says what the first says.
  case duplicate
  /// It is the first's, by its transaction, and says something else.
  case conflict
}
