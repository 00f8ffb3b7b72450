import SKANBase
import SKANDevice

/// How a mapping file names columns and the rows that they are about.
enum MappedColumns {
  static func zone(_ content: JSONNode.Content) -> ExportTimeZone? {
    if case .string(let name) = content { return ExportTimeZone(name) }
    return nil
  }

  static func code(_ content: JSONNode.Content) -> CurrencyCode? {
    if case .string(let name) = content { return CurrencyCode(name) }
    return nil
  }

  /// A column, several of which the first that is not empty counts, or a column and its fallback.
  static func read(_ key: JSONKey, _ reader: inout JSONObjectReader) -> [ExportColumn]? {
    guard let node = reader.node(key) else { return nil }
    guard node.isObject else { return columns(node, &reader) }
    var inner = JSONObjectReader(node, what: "a column", known: ["column", "fallback"])
    defer { reader.add(inner.problems) }
    guard let first = inner.require("column", inner.node("column")) else { return nil }
    return columns(first, &inner) + (inner.node("fallback").map { columns($0, &inner) } ?? [])
  }

  /// A text, or an array of texts.
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

  /// Rows that have one of some values in a column, or as the name of their event.
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

  /// A source of revenue, or several.
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
    let isMicros: Bool? = inner.read("unit", "\"units\" or \"micros\"") { content in
      guard case .string(let text) = content, ["units", "micros"].contains(text) else { return nil }
      return text == "micros"
    }
    let key = inner.string("key")
    let currencyKey = inner.string("currency_key")
    if key == nil, currencyKey != nil { inner.complain("\"currency_key\" needs \"key\"", about: "currency_key") }
    let code: CurrencyCode? = inner.read("currency_code", "three capital letters", Self.code)
    guard let column = inner.require("column", inner.node("column")) else { return nil }
    return ExportRevenue(
      columns(column, &inner), currency: inner.node("currency").map { columns($0, &inner) } ?? [], code: code,
      isMicros: isMicros ?? false, keys: key.map { ExportRevenue.Keys(amount: $0, currency: currencyKey ?? "") },
      needsCurrency: inner.bool("needs_currency") ?? false)
  }
}
