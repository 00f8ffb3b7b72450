import SKANBacktest
import SKANBase

extension ExportOptions {
  /// The mapping that `--preset` or `--mapping` names, completed by the other options; nil when neither is given.
  func givenMapping(_ invocation: Invocation) throws(CommandError) -> ExportMapping? {
    switch base {
    case nil: return nil
    case .preset(let preset)?: return completed(preset.mapping)
    case .file(let path)?:
      let bytes = try invocation.environment.readRequired(path, hint: "it should hold a mapping of columns, as JSON")
      return completed(
        try invocation.content(of: path, bytes) { () throws(SourceProblems) in
          try ExportMapping(bytes, file: path.oneLine)
        })
    }
  }

  /// A mapping with what the other options say.
  func completed(_ mapping: ExportMapping) -> ExportMapping {
    var mapping = mapping
    if let timezone { mapping.timeZone = timezone }
    if let currency { mapping.currency = currency }
    mapping.duplicateFields = duplicateFields
    if let group { mapping.group = ExportColumn(group) }
    return mapping
  }
}

extension ExportMapping {
  /// Refuses `--dedupe tx` where no row of any input has a transaction.
  ///
  /// - Parameters:
  ///   - tally: of all rows.
  ///   - columns: those of all exports.
  func checkTransactions(_ tally: ImportTally, columns: [String]) throws(CommandError) {
    if let problem = problemOfTransactions(tally, columns: columns) { throw .unusable(problem) }
  }
}

extension ImportTally {
  /// Stops where too many rows are rejected, or one that no number of errors excuses.
  ///
  /// - Parameter most: how many may be rejected.
  func check(most: Int) throws(CommandError) {
    let zoneless = rejected[ImportRejection.timeZone.rawValue]
    if zoneless > 0 {
      let first = places.first { $0.reason == .timeZone }
      throw .lines([
        .at(
          first.map { "\($0.file):\($0.line)" } ?? "",
          "its time is \(JSONWriter.quoted(first?.value ?? "")), without a zone: say which it is, as in "
            + "\(ExportOptions.timezone.flag) UTC")
      ])
    }
    guard rejectedRows > most else { return }
    let rows = places.map { place in
      let value = place.value.map { ": \(JSONWriter.quoted($0))" } ?? ""
      return StyledText.at("\(place.file):\(place.line)", "\(place.reason.message)\(value)")
    }
    let flag = ExportOptions.maxErrors.flag
    throw .lines(
      rows + [
        .remark(
          "more than \(most) row\(most == 1 ? "" : "s") cannot be used; \(flag) allows more, and \(flag) unlimited any "
            + "number", .failure)
      ])
  }
}
