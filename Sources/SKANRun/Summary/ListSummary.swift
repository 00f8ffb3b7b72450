import SKANBase
import SKANDevice

/// Totals of the steps of lists: counters of limited size, even for a million steps.
package struct ListSummary: Sendable, Equatable {
  /// The number of findings by code.
  package private(set) var findings: [String: Int] = [:]
  package private(set) var errors = ErrorTally()
  /// The phones of lists that ran to their ends.
  package private(set) var phones = PhoneTally()
  package var failures = FailureGroups()
  /// The number of lists that did not run to their ends, whose phones do not count.
  package private(set) var unfinished = 0

  package init() {}

  /// Counts a step.
  ///
  /// - Parameter redactor: removes the SDK key from the error of its answer.
  @inline(__always)
  mutating func count(_ report: StepReport, _ redactor: Redactor) {
    if report.hasFinding { countFindings(report) }
    errors.count(report, redactor)
  }

  private mutating func countFindings(_ report: StepReport) {
    for warning in report.warnings where warning.level == .finding { findings[warning.code, default: 0] += 1 }
  }

  /// Counts the phones of a list that ran to its end, in their final states.
  mutating func count(phonesOf phones: ListPhones) {
    for (index, name) in phones.names.enumerated() { self.phones.count(phones.phone(at: index), named: name) }
  }

  mutating func countUnfinished() { unfinished += 1 }

  package static func += (left: inout ListSummary, right: ListSummary) {
    left.findings.merge(right.findings) { $0 + $1 }
    left.errors += right.errors
    left.phones += right.phones
    left.failures += right.failures
    left.unfinished += right.unfinished
  }
}

/// Counts the steps of a list for its summary.
package final class SummaryObserver: StepObserver {
  private let settings: RunSettings
  private let list: String
  private let groupsFailures: Bool
  private(set) var summary = ListSummary()

  /// - Parameters:
  ///   - list: the list's name, as given.
  ///   - groupsFailures: false where several threads run the list, as no thread alone knows the order of all failures.
  package init(_ settings: RunSettings, of list: String, groupsFailures: Bool) {
    self.settings = settings
    self.list = settings.redactor.redacted(list)
    self.groupsFailures = groupsFailures
  }

  package func wantsResult(of step: Step) -> Bool {
    groupsFailures && (settings.isStrict || settings.isRemote || step.hasExpectations) && settings.selects(step)
  }

  package func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    switch event {
    case .completed(let report, _, let isSelected): if isSelected { summary.count(report, settings.redactor) }
    case .ran(let result, let verdicts, let isSelected):
      guard isSelected else { break }
      summary.count(result.report, settings.redactor)
      let failures = verdicts.filter { !$0.isMet }
      let fault = settings.isRemote ? result.endpointFault(verdicts) : nil
      guard groupsFailures, !failures.isEmpty || fault != nil || settings.isStrict && result.report.hasFinding
      else { break }
      let record = StepRecord(
        result, failures, fault, expectations: verdicts.count, at: reader.location, index: reader.index, settings)
      summary.failures.add(record, of: list)
    case .skipped, .retried: break
    }
    return true
  }
}

/// Counts phones at the end of their lists, by the values that Apple holds, and their postbacks at that time.
package struct PhoneTally: Sendable, Equatable {
  /// The properties by which postbacks are counted.
  package struct PostbackKind: Sendable, Hashable {
    package let window: ConversionWindow
    package let state: Postback.State
    package let value: Value
  }

  /// The value in a postback.
  package enum Value: Sendable, Hashable {
    case fine(Int64)
    case coarse(String)
    /// The postback has no value, or there is no postback.
    case none
  }

  package private(set) var phones = 0
  /// The number of phones by fine value, 0-63.
  package private(set) var fine = [Int](repeating: 0, count: 64)
  /// The number of phones for which Apple holds no fine value.
  package private(set) var withoutFine = 0
  /// The number of phones by window and by coarse value: none, low, medium, high.
  package private(set) var coarse = PerWindow<[Int]>(repeating: [Int](repeating: 0, count: 4))
  package private(set) var postbacks: [PostbackKind: Int] = [:]

  package init() {}

  /// Counts a phone in its current state.
  ///
  /// - Parameter name: its name in the list.
  mutating func count(_ phone: Phone, named name: String) {
    let held = phone.device.framework.held
    phones += 1
    if let value = held[.p0].fine, value < 64 { fine[Int(value)] += 1 } else { withoutFine += 1 }
    for window in [ConversionWindow.p0, .p1, .p2] {
      coarse[window][held[window].isUpdated ? held[window].coarse?.index ?? 0 : 0] += 1
    }
    for postback in phone.device.postbacks(phone: name, at: phone.clock.end ?? .listStart) {
      let value: Value =
        (postback.content?.conversionValue).map(Value.fine)
        ?? (postback.content?.coarseValue).map(Value.coarse) ?? .none
      postbacks[PostbackKind(window: postback.window, state: postback.state, value: value), default: 0] += 1
    }
  }

  static func += (left: inout PhoneTally, right: PhoneTally) {
    left.phones += right.phones
    for value in left.fine.indices { left.fine[value] += right.fine[value] }
    left.withoutFine += right.withoutFine
    for window in [ConversionWindow.p0, .p1, .p2] {
      for index in left.coarse[window].indices { left.coarse[window][index] += right.coarse[window][index] }
    }
    for (kind, count) in right.postbacks { left.postbacks[kind, default: 0] += count }
  }

  /// The counts in order of window, state and value; those without a value last.
  package var sortedPostbacks: [(kind: PostbackKind, count: Int)] {
    postbacks.map { (kind: $0.key, count: $0.value) }.sorted { $0.kind.rank.lexicographicallyPrecedes($1.kind.rank) }
  }
}

extension PhoneTally.PostbackKind {
  fileprivate var rank: [Int] {
    [window.rawValue, Postback.State.allCases.firstIndex(of: state) ?? 0] + value.rank
  }
}

extension PhoneTally.Value {
  fileprivate var rank: [Int] {
    switch self {
    case .fine(let value): [0, Int(clamping: value)]
    case .coarse(let name): [1, HeldCoarse.allCases.firstIndex { $0.rawValue == name } ?? 9]
    case .none: [2]
    }
  }

  /// `fine 12` or `coarse high`; nil for no value.
  package var text: String? {
    switch self {
    case .fine(let value): "fine \(value)"
    case .coarse(let name): "coarse \(name)"
    case .none: nil
    }
  }
}

extension HeldCoarse {
  /// The index in counts by coarse value: 0 for none, then low, medium and high.
  package var index: Int {
    switch self {
    case .literalNone: 0
    case .low: 1
    case .medium: 2
    case .high: 3
    }
  }
}

/// The errors in answers of endpoints, counted by text.
package struct ErrorTally: Sendable, Equatable {
  /// An error by which answers are counted.
  package struct Kind: Sendable, Hashable {
    package let outcome: Outcome
    /// The endpoint's text, where it gave one, truncated.
    package let text: String
  }

  /// The most distinct errors.
  static let mostKinds = 1000
  /// The most characters of a text that are kept.
  static let longestText = 200

  private var counts: [Kind: Int] = [:]
  /// Errors beyond ``mostKinds``.
  package private(set) var others = 0

  package init() {}

  /// Counts a step, if its answer is an error.
  mutating func count(_ report: StepReport, _ redactor: Redactor) {
    guard let text = report.explanation.errorText else { return }
    add(1, of: Kind(outcome: report.outcome, text: redactor.redacted(text).truncated(to: Self.longestText)))
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

  /// The errors, most frequent first.
  package var sorted: [(kind: Kind, count: Int)] {
    counts.map { (kind: $0.key, count: $0.value) }.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      if left.kind.outcome != right.kind.outcome { return left.kind.outcome.rawValue < right.kind.outcome.rawValue }
      return left.kind.text.literallyPrecedes(right.kind.text)
    }
  }
}

extension Explanation {
  /// The error text of an answer, or a description where it has none; nil where there is no error.
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
