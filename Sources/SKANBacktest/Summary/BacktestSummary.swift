/// What a backtest, or a part of one, comes to.
package struct BacktestSummary: Sendable, Equatable {
  package var header: BacktestHeader
  package var input = InputTally()
  /// By the value of the column of `--by`; one group without a name without that option.
  package var groups: [String: GroupTally] = [:]

  package init(_ header: BacktestHeader) { self.header = header }

  /// All groups together.
  package var total: GroupTally {
    var total = GroupTally(nameCount: header.names.count, compares: header.other != nil)
    for group in groups.values { total += group }
    return total
  }

  /// Adds a part of the same backtest.
  package mutating func add(_ part: BacktestSummary) {
    header.mapping = header.mapping ?? part.header.mapping
    input += part.input
    for (name, group) in part.groups { add(group, to: name) }
  }

  mutating func add(_ group: GroupTally, to name: String) {
    groups[name, default: GroupTally(nameCount: header.names.count, compares: header.other != nil)] += group
  }
}
