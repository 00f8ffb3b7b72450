import SKANBase

/// The columns of an export that its mapping does not read, as far as they may hold what it should read: systems and
/// numbers. `skan import --check` lists them.
package struct UnreadColumns {
  /// The systems that a column names, with their rows.
  package struct Systems {
    package let column: String
    package let rows: [(name: String, rows: Int)]
  }

  private struct Column {
    /// Whether the column's name says that it names systems.
    let isNamed: Bool
    /// Rows by text, of the first ``mostTexts`` texts.
    var texts: [String: Int] = [:]
    var hasNumbers = false
    /// Whether some text is neither blank nor a number.
    var hasOthers = false
    var hasKnownSystem = false
    /// Whether some text names no system that is known here.
    var hasUnknownSystem = false
  }

  /// The most texts of a column that are counted; no more systems occur.
  private static let mostTexts = 50

  private var names: [String] = []
  private var columns: [Column] = []

  package init() {}

  /// Adds the rows of a block; those that the mapping leaves out, too.
  package mutating func add(_ block: ExportBlock, _ mapping: ExportMapping) {
    let layout = block.layout
    let read = Set(mapping.columns.map { layout.spelling(of: $0.name) })
    var seen: Set<String> = []
    let unread = layout.columns.filter { !read.contains($0) && !$0.isEmpty && seen.insert($0).inserted }
    let survey = ExportMapping(title: "", device: unread.map { ExportColumn($0) }, time: [], name: [])
    let plan = ExportPlan(survey, layout)
    var indices: [Int] = []
    for name in unread { indices.append(index(of: name)) }
    // Its counts are of no use: it stores the fields in their slots.
    var mapper = RowMapper(plan)
    switch layout.format {
    case .delimited(let separator):
      var rows = TableRows(block, plan, separator: separator)
      while rows.next(&mapper) != nil { add(plan, indices) }
    case .jsonLines:
      var rows = ObjectRows(block, plan)
      while rows.next(&mapper) != nil { add(plan, indices) }
    }
  }

  private mutating func index(of name: String) -> Int {
    if let index = names.firstIndex(of: name) { return index }
    names.append(name)
    columns.append(Column(isNamed: ExportSystem.isSystem(columnNamed: name)))
    return names.count - 1
  }

  private mutating func add(_ plan: ExportPlan, _ indices: [Int]) {
    for (slot, index) in zip(plan.device, indices) {
      let field = unsafe plan.slots[slot]
      if field.isEmpty { continue }
      if unsafe BlankText(field) != nil { continue }
      switch unsafe AmountText(field) {
      case .amount: columns[index].hasNumbers = true
      default: columns[index].hasOthers = true
      }
      if field.count > 40 || columns[index].hasUnknownSystem && !columns[index].isNamed {
        columns[index].hasUnknownSystem = true
        continue
      }
      let text = unsafe String(decoding: field, as: UTF8.self)
      if columns[index].texts[text] == nil {
        let isKnown = ExportSystem.isKnown(text)
        columns[index].hasKnownSystem = columns[index].hasKnownSystem || isKnown
        columns[index].hasUnknownSystem = columns[index].hasUnknownSystem || !isKnown
        if columns[index].texts.count >= Self.mostTexts { continue }
      }
      columns[index].texts[text, default: 0] += 1
    }
  }

  /// The columns that name systems: by their own name, or because every text in them is one.
  package var systems: [Systems] {
    zip(names, columns).compactMap { name, column in
      guard column.hasKnownSystem, column.isNamed || !column.hasUnknownSystem else { return nil }
      let rows = column.texts.map { (name: $0.key, rows: $0.value) }
      return Systems(column: name, rows: rows.sorted { ($1.rows, $0.name) < ($0.rows, $1.name) })
    }
  }

  /// The columns of which every text is a number; those first whose names are about money.
  package var numbers: [String] {
    let all = zip(names, columns).filter { $1.hasNumbers && !$1.hasOthers }.map(\.0)
    let money = ["revenue", "price", "amount", "value", "money", "usd", "sales", "total", "cost"]
    let isMoney = { (name: String) in money.contains { name.lowercased().contains($0) } }
    return all.filter(isMoney) + all.filter { !isMoney($0) }
  }
}
