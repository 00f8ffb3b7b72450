import SKANBase

/// The columns of an export that no preset reads: the nearest preset, and the beginning of a mapping file for them.
package struct UnknownColumns {
  private let columns: [String]
  /// The names, reduced to letters and digits.
  private let plain: Set<String>

  package init(_ columns: [String]) {
    self.columns = columns
    plain = Set(columns.map(Self.plain))
  }

  /// The message that no preset has the columns.
  package var message: String {
    let none = "no preset has these columns: \(ExportMapping.list(columns))"
    let advice = "name one with --preset, or say what they are with --mapping"
    let nearest = nearest.map { "\n      the nearest is \($0.preset.rawValue), which needs \($0.missing)" } ?? ""
    return "\(none); \(advice)\(nearest)\n      a mapping file for them begins like this; correct it: \(mapping)"
  }

  // MARK: - The nearest preset

  /// The preset that has most of its columns here, and those that it needs besides; nil if no preset has any.
  package var nearest: (preset: ExportPreset, missing: String)? {
    var best: (preset: ExportPreset, found: Double, share: Double)?
    for preset in ExportPreset.allCases {
      let found = preset.mapping.columns.reduce(0) { $0 + likeness($1.name) }
      let needed = preset.fingerprint.map { $0.map(likeness).max() ?? 0 }
      let share = needed.reduce(0, +) / Double(needed.count)
      if found > 0, best.map({ (found, share) > ($0.found, $0.share) }) ?? true { best = (preset, found, share) }
    }
    return best.map { ($0.preset, missing($0.preset)) }
  }

  private func missing(_ preset: ExportPreset) -> String {
    let missing = preset.fingerprint.filter { names in
      !names.contains { name in columns.contains(where: name.isColumn) }
    }
    return missing.map { $0.map { JSONWriter.quoted($0) }.joined(separator: " or ") }.listed()
  }

  /// 1 if a column is there, less if one is there whose name is spelled otherwise, and 0 otherwise.
  private func likeness(_ column: String) -> Double {
    columns.contains(column) ? 1 : plain.contains(Self.plain(column)) ? 0.9 : 0
  }

  /// The letters and digits of a name, in lower case.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  // MARK: - A mapping

  /// Common names of the columns that a mapping file names, the most telling first.
  private static let roles: [(key: String, names: [String])] = [
    (
      "device",
      [
        "idfv", "vendorid", "identifierforvendor", "deviceid", "device", "installid", "installationid", "anonymousid",
        "pseudoid", "idfa", "clientid", "userid", "uid", "user",
      ]
    ),
    (
      "time",
      [
        "eventtime", "eventtimestamp", "timestamp", "time", "ts", "occurredat", "createdat", "eventdate", "datetime",
        "date", "at", "when",
      ]
    ), ("name", ["eventname", "event", "eventtype", "name", "activity", "action", "type"]),
    ("revenue", ["revenue", "amount", "price", "usd", "proceeds", "value"]),
    ("currency", ["currency", "currencycode"]),
  ]

  /// The mapping file for the columns, as far as their names tell. `?` stands for a column that none of the names tells.
  package var mapping: String {
    var rest = columns
    var found: [String: String] = [:]
    for (key, names) in Self.roles {
      guard let column = Self.column(names, in: rest) else { continue }
      found[key] = column
      rest.removeAll { $0 == column }
    }
    var members = ["\"format\":1"]
    for key in ["device", "time", "name"] { members.append("\"\(key)\":\(JSONWriter.quoted(found[key] ?? "?"))") }
    if let revenue = found["revenue"] {
      let amount = JSONWriter.quoted(revenue)
      members.append(
        "\"revenue\":"
          + (found["currency"].map { "{\"column\":\(amount),\"currency\":\(JSONWriter.quoted($0))}" } ?? amount))
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// The column with the first of the names, or else one whose name ends in one of the longer ones.
  private static func column(_ names: [String], in columns: [String]) -> String? {
    for name in names { if let column = columns.first(where: { plain($0) == name }) { return column } }
    for name in names where name.count > 3 {
      if let column = columns.first(where: { plain($0).hasSuffix(name) }) { return column }
    }
    return nil
  }
}
