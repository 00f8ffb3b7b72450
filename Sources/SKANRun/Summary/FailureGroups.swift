import SKANBase

/// The failures of all lists of a run, grouped by kind, with the phones that have them.
package struct FailureGroups: Sendable, Equatable {
  /// A phone of a list.
  package struct Phone: Sendable, Hashable {
    package let list: String
    /// The phone's name; empty where the list names none.
    package let name: String
  }

  /// Failures of the same kind.
  package struct Group: Sendable, Equatable {
    fileprivate let key: String
    /// A description on one line: `details.window: expected 1, got 0`.
    package let text: String
    /// The location of the first failure.
    package let file: String
    /// The line number, from 1.
    package let line: Int
    /// The first failure's label, outcome, requests and answers, a line each.
    package let account: [String]
    package fileprivate(set) var count = 0
    /// The first phones, in list order.
    package fileprivate(set) var phones: [Phone] = []
    fileprivate var all: Set<Phone> = []
    /// Whether there are phones that are not in ``all``.
    package fileprivate(set) var hasUncountedPhones = false

    /// `FILE:LINE`.
    package var first: String { "\(file):\(line)" }

    /// The number of phones besides ``phones``; a minimum, where there are uncounted ones.
    package var morePhones: Int { all.count - phones.count }
  }

  /// The most groups.
  static let mostGroups = 1000
  /// The most distinct phones, added up over all groups.
  static let mostPhones = 100_000
  /// The most phones that a group names.
  static let mostNames = 5

  private var indices: [String: Int] = [:]
  private var phones = 0
  package private(set) var groups: [Group] = []
  /// Failures that belong to no group, because there are too many groups.
  package private(set) var others = 0

  package init() {}

  /// Adds the problems of a step.
  ///
  /// - Parameter list: the outermost list, without the SDK key.
  package mutating func add(_ step: StepRecord, of list: String) {
    guard step.hasFailed else { return }
    let account = (step.label.map { [$0.oneLine] } ?? []) + step.end
    for kind in FailureKind.all(of: step) {
      let group = Group(key: kind.key, text: kind.text, file: step.file, line: step.line, account: account)
      guard let index = index(of: group, count: 1) else { continue }
      add(Phone(list: list, name: step.device), to: index)
    }
  }

  static func += (left: inout FailureGroups, right: FailureGroups) {
    for group in right.groups {
      guard let index = left.index(of: group, count: group.count) else { continue }
      // The named phones come first, in their order.
      for phone in group.phones { left.add(phone, to: index) }
      for phone in group.all.subtracting(group.phones).sorted(by: Phone.precedes) { left.add(phone, to: index) }
      if group.hasUncountedPhones { left.groups[index].hasUncountedPhones = true }
    }
    left.others += right.others
  }

  /// The index of the group to which failures are added; nil when there are too many groups.
  private mutating func index(of group: Group, count: Int) -> Int? {
    if indices[group.key] == nil {
      guard groups.count < Self.mostGroups else {
        others += count
        return nil
      }
      indices[group.key] = groups.count
      groups.append(
        Group(key: group.key, text: group.text, file: group.file, line: group.line, account: group.account))
    }
    guard let index = indices[group.key] else { return nil }
    groups[index].count += count
    return index
  }

  private mutating func add(_ phone: Phone, to index: Int) {
    if groups[index].all.contains(phone) { return }
    guard phones < Self.mostPhones else {
      groups[index].hasUncountedPhones = true
      return
    }
    phones += 1
    groups[index].all.insert(phone)
    if groups[index].phones.count < Self.mostNames { groups[index].phones.append(phone) }
  }

  /// The groups, most frequent first, and otherwise in list order.
  package var sorted: [Group] {
    groups.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
  }
}

extension FailureGroups.Phone {
  fileprivate static func precedes(_ left: Self, _ right: Self) -> Bool {
    left.list == right.list ? left.name.literallyPrecedes(right.name) : left.list.literallyPrecedes(right.list)
  }
}

/// A problem without its step, by which failures are grouped.
package enum FailureKind {
  case expectation(Expectation.Verdict)
  case finding(StepRecord.Finding)
  case endpoint(EndpointFault)

  /// All problems of a step. A failure of the endpoint does not count besides failed expectations.
  package static func all(of step: StepRecord) -> [FailureKind] {
    let faults = step.failures.isEmpty ? [step.fault].compactMap(\.self) : []
    return step.failures.map(expectation) + faults.map(endpoint) + (step.isStrict ? step.findings.map(finding) : [])
  }

  /// The most characters of a value that are shown.
  private static let longestValue = 80

  /// A key that is equal for problems of the same kind only.
  var key: String {
    switch self {
    case .expectation(let verdict):
      "\(verdict.path)\n\(JSONWriter.text(verdict.expected))\n\(verdict.actualText)"
    case .finding(let finding): finding.message
    case .endpoint(let fault): "endpoint\n\(fault.reason)"
    }
  }

  /// A description on one line: `details.window: expected 1, got 0`.
  var text: String {
    switch self {
    case .expectation(let verdict):
      "\(verdict.path): expected \(Self.short(JSONWriter.text(verdict.expected))), got \(Self.short(verdict.actualText))"
    case .finding(let finding): "finding: \(finding.message) [\(finding.code)]"
    case .endpoint(let fault): "the endpoint failed: \(fault.reason)"
    }
  }

  static func short(_ text: String) -> String { text.truncated(to: longestValue) }
}

/// Groups equal failures and findings of a list. The first ones of each group are printed, the others counted.
package struct EqualFailures {
  /// The number of each group that are printed.
  private static let mostPrinted = 3
  /// The most groups; failures that belong to none are printed.
  private static let mostKinds = 1000

  private struct Group {
    var text: String
    var count = 0
    /// The locations of the first and the last one that are not printed.
    var first = ""
    var last = ""
  }

  private var indices: [String: Int] = [:]
  private var groups: [Group] = []

  package init() {}

  /// Whether enough failures of its group are already printed.
  package mutating func shouldSuppress(_ kind: FailureKind, at location: String) -> Bool {
    let key = kind.key
    guard let index = indices[key] else {
      guard groups.count < Self.mostKinds else { return false }
      indices[key] = groups.count
      groups.append(Group(text: kind.text, count: 1))
      return false
    }
    groups[index].count += 1
    guard groups[index].count > Self.mostPrinted else { return false }
    if groups[index].first.isEmpty { groups[index].first = location }
    groups[index].last = location
    return true
  }

  /// A line for each group with failures that were not printed.
  package func lines(of list: String) -> [String] {
    groups.filter { $0.count > Self.mostPrinted }.map { group in
      let more = group.count - Self.mostPrinted
      let span = more == 1 ? "at \(group.first)" : "from \(group.first) to \(group.last)"
      return "\(list): the same \(more == 1 ? "once" : "\(more) times") more, \(span): \(group.text)"
    }
  }
}
