import SKANRun

/// Makes rows of the blocks of an export. Each thread has one of its own.
package final class ExportParser {
  private let mapping: ExportMapping
  /// For the columns of the last block.
  private var plan: ExportPlan?

  package init(_ mapping: ExportMapping) { self.mapping = mapping }

  /// Gives the rows of a block in their order; what they borrow is valid during the call alone.
  ///
  /// - Returns: what became of the block's rows.
  /// - Throws: what `body` throws.
  package func parse<Failure: Error>(
    _ block: ExportBlock, _ body: (ExportedRow) throws(Failure) -> Void
  ) throws(Failure) -> ImportTally {
    let plan = plan(for: block.layout)
    var mapper = RowMapper(plan)
    switch block.layout.format {
    case .delimited(let separator):
      var rows = TableRows(block, plan, separator: separator)
      while let row = rows.next(&mapper) {
        if let mapped = unsafe mapper.map(row) { try unsafe body(mapped) }
      }
    case .jsonLines:
      var rows = ObjectRows(block, plan)
      while let row = rows.next(&mapper) {
        if let mapped = unsafe mapper.map(row) { try unsafe body(mapped) }
      }
    }
    return mapper.tally
  }

  private func plan(for layout: ExportLayout) -> ExportPlan {
    if let plan, plan.layout === layout { return plan }
    let made = ExportPlan(mapping, layout)
    plan = made
    return made
  }
}
