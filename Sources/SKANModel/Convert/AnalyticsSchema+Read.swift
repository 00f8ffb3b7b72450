import SKANDevice
import SKANBase

extension AnalyticsSchema {
  /// Of an answer with all schemas of a stream.
  static let listKeys = ["skadnetworkConversionValueSchemas", "skadnetwork_conversion_value_schemas"]

  private static let windows: [(JSONKey, ConversionWindow)] = [
    ("postback_window_two", .p1), ("postback_window_three", .p2),
  ]

  /// Reads the one schema of a file, as the API gives it: by itself, or in a list of one.
  ///
  /// - Throws: every problem with its location.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    var node: JSONNode
    do throws(JSONError) {
      node = try JSONReader.read(bytes, dialect: .file)
    } catch {
      throw [SourceProblem(error)]
    }
    if let list = Self.listKeys.lazy.compactMap({ node.member($0) }).first {
      guard case .array(let schemas) = list.content, schemas.count == 1 else {
        throw [SourceProblem("a list of schemas must have one: leave the others out", at: list.range)]
      }
      node = schemas[0]
    }
    var reader = JSONObjectReader(
      node, what: "a schema of Google Analytics",
      spellings: ["name", "apply_conversion_values", "postback_window_one"] + Self.windows.map(\.0.name))
    self.init(range: reader.value("postback_window_one")?.range ?? node.range)
    isApplied = reader.value("apply_conversion_values") == nil || reader.bool("apply_conversion_values") ?? true
    var amounts: [Range<Int>] = []
    if let window = reader.values(of: "postback_window_one", in: .p0, &amounts) {
      first = window
    } else if reader.problems.isEmpty {
      reader.complain(
        "window one needs values, and \"postback_window_settings_enabled\": true", about: "postback_window_one")
    }
    for (key, window) in Self.windows { later[window] = reader.values(of: key, in: window, &amounts) }
    amountRange = amounts.first
    if !reader.problems.isEmpty { throw SourceProblems(reader.problems) }
  }
}

extension JSONObjectReader {
  /// The values of a window; nil when its settings are not enabled.
  fileprivate mutating func values(
    of key: JSONKey, in window: ConversionWindow, _ amounts: inout [Range<Int>]
  ) -> [AnalyticsSchema.Value]? {
    guard let node = value(key) else { return nil }
    var reader = JSONObjectReader(
      node, what: "a postback window", spellings: ["postback_window_settings_enabled", "conversion_values"])
    defer { add(reader.problems) }
    let isEnabled =
      reader.value("postback_window_settings_enabled") != nil
      && reader.bool("postback_window_settings_enabled") ?? false
    let values = reader.list("conversion_values") { node, outer in
      AnalyticsSchema.Value(node, in: window, &outer, &amounts)
    }
    return isEnabled ? values : nil
  }
}

extension AnalyticsSchema.Value {
  fileprivate init?(
    _ node: JSONNode, in window: ConversionWindow, _ outer: inout JSONObjectReader, _ amounts: inout [Range<Int>]
  ) {
    var reader = JSONObjectReader(
      node, what: "a conversion value",
      spellings: ["display_name", "fine_value", "coarse_value", "lock_enabled", "event_mappings"])
    fine = reader.count("fine_value", upTo: 63)
    coarse = reader.prefixedCoarseValue("coarse_value")
    locks = reader.value("lock_enabled") != nil && reader.bool("lock_enabled") ?? false
    lockRange = reader.value("lock_enabled")?.range ?? node.range
    range = node.range
    mapping = ValueMapping()
    mapping.range = node.range
    mapping.events = reader.list("event_mappings") { node, outer in
      MappedEvent(analytics: node, in: &outer, &amounts)
    }
    if window == .p0, reader.value("fine_value") == nil {
      reader.complain("a conversion value of window one needs the key \"fine_value\"")
    } else if window != .p0, reader.value("fine_value") != nil {
      reader.complain("fine values belong to window one", about: "fine_value")
    }
    if reader.value("event_mappings") == nil { reader.complain("a conversion value needs the key \"event_mappings\"") }
    if mapping.events.isEmpty, reader.problems.isEmpty {
      reader.complain("without an event the value would be everyone's", about: "event_mappings")
    }
    outer.add(reader.problems)
    if !reader.problems.isEmpty { return nil }
  }
}

extension JSONObjectReader {
  fileprivate mutating func prefixedCoarseValue(_ key: JSONKey) -> CoarseValue? {
    guard value(key) != nil, let text = string(key), text != "COARSE_VALUE_UNSPECIFIED" else { return nil }
    if let value = CoarseValue.allCases.first(where: { text == "COARSE_VALUE_\($0.rawValue.uppercased())" }) {
      return value
    }
    complain(
      "\"\(key.name)\" must be one of COARSE_VALUE_LOW, COARSE_VALUE_MEDIUM, COARSE_VALUE_HIGH, this is "
        + JSONWriter.quoted(text), about: key)
    return nil
  }
}
