/// How often an event happened by what values stand for.
package struct EventSum: Sendable, Equatable {
  /// How many have a value that stands for the event.
  package private(set) var postbacks = 0
  /// The sum of all lower ends. At the end of its range it stays there, as ``most`` does.
  package private(set) var least: Int64 = 0
  /// The sum of the upper ends of those counts that have one.
  package private(set) var most: Int64 = 0
  /// How many counts have none.
  package private(set) var openEnded = 0

  /// - Parameter isAgain: whether the same mapping named the event before.
  mutating func add(_ event: ReportedMeaning.Event, isAgain: Bool) {
    if !isAgain { postbacks += 1 }
    least = least.adding(event.least)
    if let end = event.most { most = most.adding(end) } else { openEnded += 1 }
  }

  static func + (left: EventSum, right: EventSum) -> EventSum {
    var sum = left
    sum.postbacks += right.postbacks
    sum.least = left.least.adding(right.least)
    sum.most = left.most.adding(right.most)
    sum.openEnded += right.openEnded
    return sum
  }
}

extension Int64 {
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
