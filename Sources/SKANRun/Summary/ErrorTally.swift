import SKANBase
import SKANDevice

/// The errors that answers of endpoints came to, counted by their texts.
package struct ErrorTally: Sendable, Equatable {
  /// An error as it is counted.
  package struct Kind: Sendable, Hashable {
    package let outcome: Outcome
    /// The endpoint's own, where it gave one; cut where it is long.
    package let text: String
  }

  /// How many texts are told apart.
  static let mostKinds = 1000
  /// Characters of a text that are kept.
  static let longestText = 200

  private var counts: [Kind: Int] = [:]
  /// Those with further texts.
  package private(set) var others = 0

  package init() {}

  /// Counts a step, if its answer was an error.
  mutating func count(_ report: StepReport) {
    guard let text = report.explanation.errorText else { return }
    add(1, of: Kind(outcome: report.outcome, text: text.truncated(to: Self.longestText)))
  }

  private mutating func add(_ count: Int, of kind: Kind) {
    if counts[kind] == nil, counts.count == Self.mostKinds {
      others += count
    } else {
      counts[kind, default: 0] += count
    }
  }

  static func += (left: inout ErrorTally, right: ErrorTally) {
    for (kind, count) in right.sorted { left.add(count, of: kind) }
    left.others += right.others
  }

  /// The most frequent first.
  package var sorted: [(kind: Kind, count: Int)] {
    counts.map { (kind: $0.key, count: $0.value) }.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      if left.kind.outcome != right.kind.outcome { return left.kind.outcome.rawValue < right.kind.outcome.rawValue }
      return left.kind.text.literallyPrecedes(right.kind.text)
    }
  }
}

extension Explanation {
  /// The error of an answer in its own words, or in ours where it has none; nil where there was no error.
  fileprivate var errorText: String? {
    switch self {
    case .refused(let text), .refusedWithoutCurrentValue(let text), .noAnswer(let text), .notJSON(let text),
      .answerCrashed(let text):
      text
    case .testEndpointExhausted, .illegalValue, .illegalCoarse: description
    case .withoutHandler(let other): other.errorText
    default: nil
    }
  }
}
