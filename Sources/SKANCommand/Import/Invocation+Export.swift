import SKANBacktest
import SKANBase

extension Invocation {
  /// The mapping that `--preset` or `--mapping` names, completed by the other options; nil when neither is given.
  func givenMapping() throws(CommandError) -> ExportMapping? {
    let given = preferred([ExportOptions.preset, ExportOptions.mapping])
    if given.count > 1 {
      throw usage(
        "\(name(of: given[0])) and \(name(of: given[1])) exclude each other: a mapping file may name a \"preset\" of its own"
      )
    }
    if given == [ExportOptions.preset], let preset = try self[ExportOptions.preset] {
      return try completed(preset.mapping)
    }
    guard given == [ExportOptions.mapping], let path = try self[ExportOptions.mapping] else { return nil }
    let bytes = try environment.readRequired(path, hint: "it should hold a mapping of columns, as JSON")
    return try completed(
      content(of: path, bytes) { () throws(SourceProblems) in try ExportMapping(bytes, file: path.oneLine) })
  }

  /// A mapping with what the other options say.
  func completed(_ mapping: ExportMapping) throws(CommandError) -> ExportMapping {
    var mapping = mapping
    if let zone = try self[ExportOptions.timezone] { mapping.timeZone = zone }
    if let currency = try self[ExportOptions.currency] { mapping.currency = currency }
    mapping.duplicateFields = try self[ExportOptions.dedupe]
    if let column = try self[ifDeclared: BacktestOptions.by] { mapping.group = ExportColumn(column) }
    return mapping
  }

  /// Refuses `--dedupe tx` where no row of any input has a transaction. A part of rows that were divided before may have none.
  ///
  /// - Parameters:
  ///   - mapping: nil where no export was read.
  ///   - tally: of all rows.
  ///   - columns: those of all exports.
  func checkTransactions(
    _ mapping: ExportMapping?, _ tally: ImportTally, columns: [String]
  ) throws(CommandError) {
    if try self[ifDeclared: BacktestOptions.part] != nil { return }
    if let problem = mapping?.problemOfTransactions(tally, columns: columns) { throw .unusable(problem) }
  }

  /// Stops where too many rows are rejected, or one that no number of errors excuses.
  ///
  /// - Parameters:
  ///   - tally: of all blocks so far.
  ///   - most: how many may be rejected.
  func check(_ tally: ImportTally, most: Int) throws(CommandError) {
    let zoneless = tally.rejected[ImportRejection.timeZone.rawValue]
    if zoneless > 0 {
      let first = tally.places.first { $0.reason == .timeZone }
      throw .lines([
        .at(
          first.map { "\($0.file):\($0.line)" } ?? "",
          "its time is \(JSONWriter.quoted(first?.value ?? "")), without a zone: say which it is, as in "
            + "\(ExportOptions.timezone.flag) UTC")
      ])
    }
    guard tally.rejectedRows > most else { return }
    let places = tally.places.map { place in
      let value = place.value.map { ": \(JSONWriter.quoted($0))" } ?? ""
      return StyledText.at("\(place.file):\(place.line)", "\(place.reason.message)\(value)")
    }
    let flag = ExportOptions.maxErrors.flag
    throw .lines(
      places + [
        .remark(
          "more than \(most) row\(most == 1 ? "" : "s") cannot be used; \(flag) allows more, and \(flag) unlimited any "
            + "number", .failure)
      ])
  }
}
