import Foundation

/// How many rounds a property test goes.
public enum Rounds {
  /// As many as this in the suite, and `TEST_ROUNDS` times as many where that is set, as scripts/properties does.
  ///
  /// What is drawn comes from seeds, so the first of many rounds are the few.
  public static func of(_ count: Int) -> Range<Int> { 0..<count * factor }

  /// Whether it is set to more than 1.
  public static var areMany: Bool { factor > 1 }

  private static let factor = max(1, ProcessInfo.processInfo.environment["TEST_ROUNDS"].flatMap { Int($0) } ?? 1)
}
