import SKANBase
import SKANDevice

extension ExportMapping {
  private static let keys: JSONKeys = [
    "format", "preset", "device", "time", "name", "revenue", "admon", "revenue_only", "session", "install", "installed",
    "where", "rename", "transaction", "timezone", "date_format", "currency",
  ]

  /// The keys of a mapping file.
  package static var keyNames: [String] { keys.names }

  /// Reads a mapping file (the article "Importing exports").
  ///
  /// - Parameter file: the name for messages.
  /// - Throws: all problems of the file.
  package init(_ bytes: [UInt8], file: String) throws(SourceProblems) {
    let node: JSONNode
    do throws(JSONError) { node = try JSONReader.read(bytes, dialect: .file) } catch { throw [SourceProblem(error)] }
    var reader = JSONObjectReader(node, what: "a mapping", known: Self.keys)
    guard reader.isObject else { throw SourceProblems(reader.problems) }
    if reader.require("format", reader.integer("format")).map({ $0 != 1 }) ?? false {
      reader.complain("only format 1 is known", about: "format")
    }
    let preset = Self.readPreset(&reader)
    var mapping = preset?.mapping ?? ExportMapping(title: "", device: [], time: [], name: [])
    mapping.title = file
    if preset == nil, !reader.has("preset") {
      for key in ["device", "time", "name"] as [JSONKey] where !reader.has(key) {
        reader.complain("a mapping without a preset needs the key \"\(key.name)\"")
      }
    }
    mapping.readColumns(&reader)
    mapping.readKinds(&reader)
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
    self = mapping
  }

  private static func readPreset(_ reader: inout JSONObjectReader) -> ExportPreset? {
    guard let node = reader.node("preset") else { return nil }
    let names = ExportPreset.allCases.map(\.rawValue)
    var hint = ""
    if case .string(let name) = node.content {
      if let preset = ExportPreset(rawValue: name) { return preset }
      hint = meantName(by: name, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
    }
    reader.complain(
      "\"preset\" must be one of \(names.joined(separator: ", ")), this is \(node.briefly)\(hint)", about: "preset")
    return nil
  }

  private mutating func readColumns(_ reader: inout JSONObjectReader) {
    if let columns = MappedColumns.read("device", &reader) { device = columns }
    if let columns = MappedColumns.read("name", &reader) { eventName = columns }
    if let columns = MappedColumns.read("transaction", &reader) { transaction = columns }
    if let (columns, unit) = MappedColumns.readTime("time", &reader) { (time, timeUnit) = (columns, unit) }
    if let (columns, unit) = MappedColumns.readTime("installed", &reader) {
      (installed, installedUnit) = (columns, unit)
    }
    if let sources = MappedColumns.readRevenue(&reader) { revenue = sources }
    if let filters = MappedColumns.readFilters(&reader) { self.filters += filters }
  }

  private mutating func readKinds(_ reader: inout JSONObjectReader) {
    if let condition = MappedColumns.readCondition("admon", &reader) { adRevenue = condition }
    if let condition = MappedColumns.readCondition("revenue_only", &reader) { revenueOnly = condition }
    if let condition = MappedColumns.readCondition("session", &reader) { session = condition }
    if let condition = MappedColumns.readCondition("install", &reader) { install = condition }
    if let zone: ExportTimeZone = reader.read("timezone", Self.zones, MappedColumns.zone) {
      (timeZone, zoneSource) = (zone, "\"timezone\" of \(title)")
    }
    if let format: ExportDateFormat = reader.read("date_format", ExportDateFormat.forms, MappedColumns.dateFormat) {
      dateFormat = format
    }
    if let code: CurrencyCode = reader.read("currency", "three capital letters", MappedColumns.code) { currency = code }
    guard let node = reader.node("rename") else { return }
    guard case .object(let members) = node.content else {
      return reader.complain("\"rename\" must be an object of names, this is \(node.kind)", about: "rename")
    }
    for member in members {
      if case .string(let name) = member.value.content, !name.isEmpty {
        renames[member.key] = name
      } else {
        reader.add([
          SourceProblem("the new name must be a text, this is \(member.value.briefly)", at: member.value.range)
        ])
      }
    }
  }

  /// The valid forms of a time zone, for messages.
  package static let zones = "UTC, an offset such as +02:00, or a zone such as Europe/Berlin"
}

/// Reads the columns and conditions of a mapping file.
enum MappedColumns {
  static func zone(_ content: JSONNode.Content) -> ExportTimeZone? {
    if case .string(let name) = content { return ExportTimeZone(name) }
    return nil
  }

  static func dateFormat(_ content: JSONNode.Content) -> ExportDateFormat? {
    if case .string(let text) = content { return ExportDateFormat(text) }
    return nil
  }

  static func code(_ content: JSONNode.Content) -> CurrencyCode? {
    if case .string(let name) = content { return CurrencyCode(name) }
    return nil
  }

  /// Reads a column, several columns of which the first nonempty one counts, or a column and its fallback.
  static func read(_ key: JSONKey, _ reader: inout JSONObjectReader) -> [ExportColumn]? {
    guard let node = reader.node(key) else { return nil }
    guard node.isObject else { return columns(node, &reader) }
    var inner = JSONObjectReader(node, what: "a column", known: ["column", "fallback"])
    defer { reader.add(inner.problems) }
    guard let first = inner.require("column", inner.node("column")) else { return nil }
    return columns(first, &inner) + (inner.node("fallback").map { columns($0, &inner) } ?? [])
  }

  /// Reads a text, or an array of texts.
  static func texts(_ node: JSONNode, _ reader: inout JSONObjectReader) -> [String] {
    if case .string(let text) = node.content, !text.isEmpty { return [text] }
    if case .array(let items) = node.content, !items.isEmpty {
      return items.compactMap { item in
        if case .string(let text) = item.content, !text.isEmpty { return text }
        reader.add([SourceProblem("this must be a text, it is \(item.briefly)", at: item.range)])
        return nil
      }
    }
    reader.add([SourceProblem("this must be a text or an array of texts, it is \(node.briefly)", at: node.range)])
    return []
  }

  static func columns(_ node: JSONNode, _ reader: inout JSONObjectReader) -> [ExportColumn] {
    texts(node, &reader).map { ExportColumn($0) }
  }

  static func readTime(_ key: JSONKey, _ reader: inout JSONObjectReader) -> ([ExportColumn], ExportTimeUnit?)? {
    guard let node = reader.node(key) else { return nil }
    guard node.isObject else { return (columns(node, &reader), nil) }
    var inner = JSONObjectReader(node, what: "a time", known: ["column", "unit"])
    defer { reader.add(inner.problems) }
    let units = ExportTimeUnit.allCases.map(\.rawValue).joined(separator: ", ")
    let unit: ExportTimeUnit? = inner.read("unit", "one of \(units)") { content in
      if let text = content.text { return ExportTimeUnit(rawValue: text) }
      return nil
    }
    guard let column = inner.require("column", inner.node("column")) else { return nil }
    return (columns(column, &inner), unit)
  }

  /// Reads a condition: values in a column, or of the event's name.
  static func readCondition(_ key: JSONKey, _ reader: inout JSONObjectReader) -> ExportCondition? {
    guard let node = reader.node(key) else { return nil }
    guard node.isObject else { return ExportCondition(nil, texts(node, &reader)) }
    var inner = JSONObjectReader(node, what: "a condition", known: ["column", "equals"])
    defer { reader.add(inner.problems) }
    let column = inner.string("column").map { ExportColumn($0) }
    guard let values = inner.require("equals", inner.node("equals")) else { return nil }
    return ExportCondition(column, texts(values, &inner))
  }

  static func readFilters(_ reader: inout JSONObjectReader) -> [ExportFilter]? {
    if let node = reader.node("where"), node.isObject { return [filter(node, &reader)].compactMap(\.self) }
    return reader.has("where") ? reader.items("where") { node, reader in filter(node, &reader) } : nil
  }

  private static func filter(_ node: JSONNode, _ reader: inout JSONObjectReader) -> ExportFilter? {
    var inner = JSONObjectReader(node, what: "a filter", known: ["column", "equals", "not_equals"])
    defer { reader.add(inner.problems) }
    guard inner.isObject, let column = inner.require("column", inner.string("column")) else { return nil }
    let values = [inner.node("equals"), inner.node("not_equals")]
    guard (values[0] == nil) != (values[1] == nil), let given = values[0] ?? values[1] else {
      inner.complain("a filter needs one of the keys \"equals\" and \"not_equals\"")
      return nil
    }
    return ExportFilter(ExportColumn(column), texts(given, &inner), isNegated: values[0] == nil)
  }

  /// Reads a source of revenue, or several.
  static func readRevenue(_ reader: inout JSONObjectReader) -> [ExportRevenue]? {
    guard let node = reader.node("revenue") else { return nil }
    if case .array(let items) = node.content { return items.compactMap { revenue($0, &reader) } }
    return [revenue(node, &reader)].compactMap(\.self)
  }

  private static let revenueKeys: JSONKeys = [
    "column", "currency", "currency_code", "unit", "key", "currency_key", "needs_currency",
  ]

  private static func revenue(_ node: JSONNode, _ reader: inout JSONObjectReader) -> ExportRevenue? {
    guard node.isObject else { return ExportRevenue(columns(node, &reader)) }
    var inner = JSONObjectReader(node, what: "a source of revenue", known: revenueKeys)
    defer { reader.add(inner.problems) }
    let units = ExportMoneyUnit.allCases.map(\.rawValue).joined(separator: ", ")
    let unit: ExportMoneyUnit? = inner.read("unit", "one of \(units)") { content in
      content.text.flatMap { ExportMoneyUnit(rawValue: $0) }
    }
    let key = inner.string("key")
    let currencyKey = inner.string("currency_key")
    if key == nil, currencyKey != nil { inner.complain("\"currency_key\" needs \"key\"", about: "currency_key") }
    let code: CurrencyCode? = inner.read("currency_code", "three capital letters", Self.code)
    guard let column = inner.require("column", inner.node("column")) else { return nil }
    return ExportRevenue(
      columns(column, &inner), currency: inner.node("currency").map { columns($0, &inner) } ?? [], code: code,
      unit: unit ?? .units, keys: key.map { ExportRevenue.Keys(amount: $0, currency: currencyKey ?? "") },
      needsCurrency: inner.bool("needs_currency") ?? false)
  }
}
