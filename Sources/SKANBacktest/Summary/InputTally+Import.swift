extension InputTally {
  /// Rows that become nothing, by reason. Parts that all read the same input count them once: in the first part.
  package init(_ tally: ImportTally, _ mapping: ExportMapping, in shard: Shard) {
    guard shard.index == 1 else { return }
    for reason in ImportRejection.allCases where tally.rejected[reason.rawValue] > 0 {
      rejected[reason.message] = tally.rejected[reason.rawValue]
    }
    for (filter, count) in zip(mapping.filters, tally.filtered) where count > 0 {
      filtered[filter.reason, default: 0] += count
    }
  }
}
