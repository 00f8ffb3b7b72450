import SKANBase
import SKANDevice

/// A schema of conversion values of Google Analytics: `SKAdNetworkConversionValueSchema` of the Google Analytics Admin
/// API, v1alpha. In the list of each window, the first value whose events all hold counts.
package struct AnalyticsSchema: Sendable {
  /// A value of a list.
  package struct Value: Sendable {
    /// The fine value, 0–63; only in window one.
    package var fine: Int64?
    package var coarse: CoarseValue?
    package var locks: Bool
    /// The events, all of which must hold.
    package var mapping: ValueMapping
    /// The locations of the value and of its key "lockEnabled" in the file.
    package var range: Range<Int>
    var lockRange: Range<Int>
  }

  package var first: [Value] = []
  /// The values of windows two and three; nil for a window that inherits those of window one.
  package var later: [ConversionWindow: [Value]] = [:]
  /// Whether Google's SDK sets values according to the schema.
  package var isApplied = true
  /// The location of window one.
  package var range: Range<Int>

  /// The location of an amount, which is in the currency of the property, unknown to the file; nil without amounts.
  package var amountRange: Range<Int>?
}

extension AnalyticsSchema {
  /// The keys of an answer with all schemas of a stream.
  static let listKeys = ["skadnetworkConversionValueSchemas", "skadnetwork_conversion_value_schemas"]
  /// The keys that tell a schema, or a list of schemas, from the other forms of a model.
  package static let topKeys = ["postbackWindowOne", "postback_window_one"] + listKeys

  private static let windows: [(JSONKey, ConversionWindow)] = [
    ("postback_window_two", .p1), ("postback_window_three", .p2),
  ]

  /// Reads the only schema of a file in the form of the API, either alone or in a list of one.
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
  /// The values of a window; nil if its settings are not enabled.
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
      reader.complain("without an event, everyone would have the value", about: "event_mappings")
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

extension MappedEvent {
  /// Reads an event mapping of Google Analytics. Its currency, which is that of the property, is set later.
  ///
  /// - Parameter amounts: receives the location of an amount.
  init?(analytics node: JSONNode, in outer: inout JSONObjectReader, _ amounts: inout [Range<Int>]) {
    var reader = JSONObjectReader(
      node, what: "an event mapping",
      spellings: ["event_name", "min_event_count", "max_event_count", "min_event_value", "max_event_value"])
    let name = reader.text("event_name")
    if name == nil, reader.problems.isEmpty { reader.complain("an event mapping needs the key \"event_name\"") }
    let counts = (reader.count("min_event_count"), reader.count("max_event_count"))
    let sums = (reader.amount("min_event_value"), reader.amount("max_event_value"))
    if counts.0 == 0 {
      reader.complain("a model counts events from 1: leave it out, or ask for 1", about: "min_event_count")
    }
    if counts.1 == 0 { reader.complain("an event that must not come has no counterpart", about: "max_event_count") }
    if let least = counts.0, let most = counts.1, least > most {
      reader.complain("the counts end (\(most)) before they begin (\(least))", about: "max_event_count")
    }
    if reader.value("max_event_value") != nil, sums.1 ?? 0 <= sums.0 ?? 0, reader.problems.isEmpty {
      reader.complain("no revenue is in this range: its end is not part of it", about: "max_event_value")
    }
    if sums.0 != nil || sums.1 != nil {
      amounts.append((reader.value("min_event_value") ?? reader.value("max_event_value") ?? node).range)
    }
    self.init(
      name: name ?? "",
      revenue: sums.0 == nil && sums.1 == nil ? nil : RevenueCondition(min: sums.0 ?? 0, max: sums.1),
      occurrence: counts.0 == nil && counts.1 == nil ? nil : OccurrenceCondition(min: counts.0 ?? 1, max: counts.1))
    outer.add(reader.problems)
    if !reader.problems.isEmpty { return nil }
  }
}

extension AnalyticsSchema {
  /// The names of the events, sorted.
  package var eventNames: [String] { Set(allValues.flatMap(\.mapping.events).map(\.name)).sorted() }

  /// The values of all windows.
  private var allValues: [Value] { first + ConversionWindow.allCases.flatMap { later[$0] ?? [] } }

  /// The schema with some events renamed.
  ///
  /// An event can stand for revenue alone, such as `__REVENUE__`.
  ///
  /// - Throws: every value that counts such an event, with its location.
  package func renamingEvents(_ names: [String: String]) throws(SourceProblems) -> AnalyticsSchema {
    var schema = self
    var amountRange = amountRange
    var problems: [SourceProblem] = []
    func rename(_ values: inout [Value]) {
      for value in values.indices {
        let range = values[value].range
        for index in values[value].mapping.events.indices {
          var event = values[value].mapping.events[index]
          guard let name = names[event.name] else { continue }
          let old = JSONWriter.quoted(event.name)
          event.name = name
          if event.isRevenueOnly {
            if let counts = event.occurrence, counts.min > 1 || counts.max != nil {
              problems.append(
                SourceProblem("\(old) stands for revenue alone (\(name)), which is not counted", at: range))
            }
            event.occurrence = nil
            amountRange = amountRange ?? range
          }
          values[value].mapping.events[index] = event
        }
      }
    }
    rename(&schema.first)
    for window in ConversionWindow.allCases {
      guard var values = schema.later[window] else { continue }
      rename(&values)
      schema.later[window] = values
    }
    schema.amountRange = amountRange
    if !problems.isEmpty { throw SourceProblems(problems) }
    return schema
  }

  /// The same schema as a model of this program, in which the highest value that holds counts instead of the first.
  ///
  /// Amounts are revenue of the window in `currency`, and ranges of amounts are half-open: Google exports the schema to
  /// its ads product with these numbers, whose form says no more.
  ///
  /// - Parameter currency: the currency of the property; nil only if there are no amounts.
  /// - Throws: everything that cannot be converted, with its location.
  package func converted(currency: String?) throws(SourceProblems) -> ConvertedModel {
    var result = ConvertedModel(model: ConversionModel())
    var problems: [SourceProblem] = []
    if !isApplied {
      result.remarks.append(
        SourceProblem("Google's SDK sets no values by this schema: applyConversionValues is false", at: range))
    }
    let earners = revenueEvents
    if let name = earners.first(where: { !MappedEvent(name: $0).isRevenueOnly }) {
      if earners.count > 1 {
        let names = earners.map(JSONWriter.quoted).joined(separator: " and ")
        problems.append(
          SourceProblem(
            "amounts of \(names) are asked for; a model knows the window's revenue and not that of each event",
            at: amountRange ?? range))
      } else {
        result.remarks.append(
          SourceProblem(
            "amounts of \(JSONWriter.quoted(name)) are read as all revenue of the window", at: amountRange ?? range))
      }
    }
    var firstLeftOut: [CoarseValue] = []
    for window in ConversionWindow.allCases {
      guard let values = window == .p0 ? first : later[window] else { continue }
      let list = FirstWinsList(values.map { $0.paid(in: currency) }, of: window)
      result.remarks += list.remarks
      var converted = ConversionModel.WindowModel()
      var leftOut: [(value: CoarseValue, range: Range<Int>)] = []
      converted.coarse = list.coarseMappings(&problems, leftOut: &leftOut)
      converted.lock = list.lock(&problems, without: leftOut.map(\.value))
      converted.lockRange = list.values.first(where: \.locks)?.lockRange ?? converted.lockRange
      result.remarks += leftOut.map { SourceProblem(message(leftOut: $0.value, in: window), at: $0.range) }
      if window == .p0 { firstLeftOut = leftOut.map(\.value) }
      if window == .p0 { result.model.fine = list.fineMappings(&problems) }
      result.model.windows[window] = converted
    }
    if !inherited.isEmpty {
      let list = FirstWinsList(first.map { $0.paid(in: currency) }, of: .p0)
      var windowModel = ConversionModel.WindowModel()
      windowModel.coarse = result.model.windows[.p0].coarse
      windowModel.lock = problems.isEmpty ? list.coarseLock(without: firstLeftOut) : nil
      windowModel.lockRange = result.model.windows[.p0].lockRange
      if problems.isEmpty, windowModel.lock == nil, let locked = list.values.first(where: \.locks) {
        problems.append(
          SourceProblem(
            "window \(inherited[0].word) takes the values of window one, and this lock by a fine value has "
              + "no counterpart in it", at: locked.lockRange))
      }
      for window in inherited { result.model.windows[window] = windowModel }
    }
    if problems.isEmpty, result.model.fine.isEmpty {
      problems.append(SourceProblem("no value of the schema can ever hold", at: range))
    }
    if !problems.isEmpty { throw SourceProblems(problems) }
    return result
  }

  /// The later windows that inherit the values of window one.
  private var inherited: [ConversionWindow] { ConversionWindow.allCases.filter { $0 != .p0 && later[$0] == nil } }

  private func message(leftOut coarse: CoarseValue, in window: ConversionWindow) -> String {
    let words = ([window] + (window == .p0 ? inherited : [])).map(\.word)
    let windows = "window\(words.count == 1 ? "" : "s") \(words.listed())"
    return "left out: coarse value \(coarse.rawValue) of \(windows); several conversion values give it, and no single "
      + "mapping of a model holds exactly when one of them does. Users who have it get a lower coarse value, or none"
  }

  /// The events with conditions on amounts, without duplicates.
  private var revenueEvents: [String] {
    var seen: Set<String> = []
    return allValues.flatMap(\.mapping.events).filter { $0.revenue != nil && seen.insert($0.name).inserted }.map(\.name)
  }
}

extension AnalyticsSchema.Value {
  /// The value with amounts in a currency.
  fileprivate func paid(in currency: String?) -> Self {
    var value = self
    for index in mapping.events.indices
    where mapping.events[index].revenue != nil || mapping.events[index].isRevenueOnly {
      value.mapping.events[index].currency = currency
    }
    return value
  }
}

extension ConversionWindow {
  /// The window's number in Google Analytics.
  var word: String {
    switch self {
    case .p0: "one"
    case .p1: "two"
    case .p2: "three"
    }
  }
}

/// A model converted from another form.
package struct ConvertedModel: Sendable {
  package var model: ConversionModel
  /// Remarks for a reader of the source, with their locations in it.
  package var remarks: [SourceProblem] = []
}
