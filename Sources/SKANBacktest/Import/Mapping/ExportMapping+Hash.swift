import SKANBase

extension ExportMapping {
  /// A hash of everything that decides what a row becomes, the same in every process: parts of a backtest whose mappings
  /// differ do not belong together.
  package var stableHash: UInt64 {
    var plain = self
    // Sets and dictionaries have another order in each process, and a title names a path.
    (plain.title, plain.renames, plain.duplicateFields) = ("", [:], [])
    let renames = renames.sorted { $0.key.literallyPrecedes($1.key) }.map { "\($0.key)=\($0.value)" }
    let fields = duplicateFields.map(\.rawValue).sorted()
    return fnv1a("\(plain)\n\(renames)\n\(fields)")
  }
}
