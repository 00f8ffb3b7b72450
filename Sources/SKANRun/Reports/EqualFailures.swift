/// Groups equal failures and findings of a list: the first ones are printed, the others counted.
package struct EqualFailures {
  /// How many of each group are printed.
  private static let mostPrinted = 3
  /// How many groups are kept; what belongs to none is printed.
  private static let mostKinds = 1000

  private struct Group {
    var text: String
    var count = 0
    /// Of those that are not printed.
    var first = ""
    var last = ""
  }

  private var indices: [String: Int] = [:]
  private var groups: [Group] = []

  package init() {}

  /// Whether it belongs to a group of which enough are printed.
  package mutating func isOneMore(_ verdict: Expectation.Verdict, at location: String) -> Bool {
    isOneMore(.expectation(verdict), at: location)
  }

  package mutating func isOneMore(_ finding: StepRecord.Finding, at location: String) -> Bool {
    isOneMore(.finding(finding), at: location)
  }

  package mutating func isOneMore(_ fault: EndpointFault, at location: String) -> Bool {
    isOneMore(.endpoint(fault), at: location)
  }

  private mutating func isOneMore(_ kind: FailureKind, at location: String) -> Bool {
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

  /// What was counted only, a line a group.
  package func lines(of list: String) -> [String] {
    groups.filter { $0.count > Self.mostPrinted }.map { group in
      let more = group.count - Self.mostPrinted
      let span = more == 1 ? "at \(group.first)" : "from \(group.first) to \(group.last)"
      return "\(list): the same \(more == 1 ? "once" : "\(more) times") more, \(span): \(group.text)"
    }
  }
}
