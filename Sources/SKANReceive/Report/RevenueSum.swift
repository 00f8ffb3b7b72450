/// The sum of decoded ranges of revenue in one currency.
package struct RevenueSum: Sendable, Equatable {
  package private(set) var postbacks = 0
  /// The sum of all lower ends.
  package private(set) var min = MicroAmount.zero
  /// The sum of the upper ends of those ranges that have one.
  package private(set) var below = MicroAmount.zero
  /// How many have none.
  package private(set) var openEnded = 0

  mutating func add(_ range: ReportedMeaning.Revenue) {
    postbacks += 1
    min += range.min
    if let end = range.below { below += end } else { openEnded += 1 }
  }

  static func + (left: RevenueSum, right: RevenueSum) -> RevenueSum {
    var sum = left
    sum.postbacks += right.postbacks
    sum.min += right.min
    sum.below += right.below
    sum.openEnded += right.openEnded
    return sum
  }
}
