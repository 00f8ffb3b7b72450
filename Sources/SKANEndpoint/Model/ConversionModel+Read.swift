import SKANDevice
import SKANJSON

extension ConversionModel {
  /// Reads a model in all spellings of its public form: camelCase or snake_case keys, 64-bit integers as strings, an
  /// unset value as 0, the whole wrapped in `{"schema":{…}}`.
  ///
  /// - Throws: every problem that makes the file unusable, with its place. What ``problems`` finds beyond is not among
  ///   them.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    let (model, problems) = try Self.read(bytes)
    guard problems.isEmpty else { throw SourceProblems(problems) }
    self = model
  }

  /// Reads a model that must have nothing odd about it.
  ///
  /// - Throws: every problem, those that make the file unusable and those that ``problems`` finds.
  package init(faultless bytes: [UInt8]) throws(SourceProblems) {
    let (model, problems) = try Self.read(bytes)
    let all = problems + model.oddities(isWhole: problems.isEmpty)
    guard all.isEmpty else { throw SourceProblems(all) }
    self = model
  }

  /// A model without the mappings that cannot be read, and what is wrong with those.
  private static func read(_ bytes: [UInt8]) throws(SourceProblems) -> (ConversionModel, [SourceProblem]) {
    var node = try JSONReader.readSource(bytes)
    if let schema = node.member("schema") {
      let wrapper = JSONObjectReader(node, what: "the wrapper of a model", spellings: ["schema", "resource_name"])
      guard wrapper.problems.isEmpty else { throw SourceProblems(wrapper.problems) }
      node = schema
    }
    var reader = JSONObjectReader(
      node, what: "a model",
      spellings: ["app_id", "measurement_window_hours", "fine_grained_conversion_value_mappings", "postback_mappings"])
    var model = ConversionModel()
    model.appID = reader.text("app_id")
    model.measurementHours = reader.positive("measurement_window_hours")
    model.fine = reader.items("fine_grained_conversion_value_mappings") { FineMapping($0, in: &$1) }
    var seen: Set<ConversionWindow> = []
    let windows = reader.items("postback_mappings") { node, reader in
      WindowModel.read(node, in: &reader).map { (window: $0.0, model: $0.1, range: node.range) }
    }
    for (window, windowModel, range) in windows {
      if !seen.insert(window).inserted {
        reader.add([SourceProblem("postback \(window.rawValue) is mapped twice", at: range)])
      }
      model.windows[window] = windowModel
    }
    return (model, reader.problems)
  }
}

extension ConversionModel.FineMapping {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(
      node, what: "a fine mapping", spellings: ["fine_grained_conversion_value", "conversion_value_mapping"])
    defer { outer.add(reader.problems) }
    // Zero is left out in proto3's JSON.
    value = reader.count("fine_grained_conversion_value", upTo: 63) ?? 0
    mapping = reader.mapping("conversion_value_mapping") ?? ValueMapping()
    mapping.range = node.range
    if !reader.problems.isEmpty { return nil }
  }
}

extension ConversionModel.WindowModel {
  static func read(_ node: JSONNode, in outer: inout JSONObjectReader) -> (ConversionWindow, Self)? {
    let locks = [
      "lock_window_coarse_conversion_value", "lock_window_fine_conversion_value", "lock_window_event",
    ]
    var reader = JSONObjectReader(
      node, what: "a postback mapping",
      spellings: ["postback_sequence_index", "coarse_grained_conversion_value_mappings"] + locks)
    defer { outer.add(reader.problems) }
    var model = Self()
    let index = reader.count("postback_sequence_index", upTo: 2)
    // Zero is left out in proto3's JSON; what is no index is not taken for it.
    let window =
      index == nil && reader.has("postback_sequence_index") ? nil : ConversionWindow(rawValue: Int(index ?? 0))
    if let ladder = reader.node("coarse_grained_conversion_value_mappings") {
      var steps = JSONObjectReader(
        ladder, what: "the coarse mappings",
        spellings: CoarseValue.allCases.map { "\($0.rawValue)_conversion_value_mapping" })
      model.coarse = CoarseValue.allCases.compactMap { value in
        let key = JSONKey("\(value.rawValue)_conversion_value_mapping")
        let before = steps.problems.count
        guard let mapping = steps.mapping(key), steps.problems.count == before else { return nil }
        return ConversionModel.CoarseMapping(value: value, mapping: mapping)
      }
      reader.add(steps.problems)
    }
    if locks.filter({ reader.has(JSONKey($0)) }).count > 1 {
      reader.complain("a window has one lock trigger, of fine value, coarse value and event", about: JSONKey(locks[1]))
    }
    model.lock =
      reader.coarseValue(JSONKey(locks[0])).map(ConversionModel.LockTrigger.coarse)
      ?? reader.count(JSONKey(locks[1]), upTo: 63).map(ConversionModel.LockTrigger.fine)
      ?? reader.text(JSONKey(locks[2])).map(ConversionModel.LockTrigger.event)
    model.lockRange = locks.compactMap { reader.node(JSONKey($0))?.range }.first ?? model.lockRange
    return window.map { ($0, model) }
  }
}

extension MappedEvent {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(
      node, what: "a mapped event",
      spellings: [
        "mapped_event_name", "currency_code", "event_revenue_range", "event_revenue_value", "event_occurrence_range",
        "event_counter",
      ])
    defer { outer.add(reader.problems) }
    guard let name = reader.require("mapped_event_name", reader.text("mapped_event_name")) else {
      if reader.has("mapped_event_name") {
        reader.complain("an event needs a name", about: "mapped_event_name")
      }
      return nil
    }
    self.name = name
    currency = reader.text("currency_code")
    revenue = reader.range("event_revenue_range", "event_revenue", "a revenue range") { object, key in
      object.amount(key)
    }.flatMap { $0.min == nil && $0.max == nil ? nil : RevenueCondition(min: $0.min ?? 0, max: $0.max) }
    if let revenue, revenue.min == revenue.max {
      reader.complain("no revenue is in this range: its end is not part of it", about: "event_revenue_range")
    }
    if let atLeast = reader.amount("event_revenue_value") { revenue = revenue ?? RevenueCondition(min: atLeast) }
    occurrence = reader.range("event_occurrence_range", "event_count", "an occurrence range") { object, key in
      object.positive(key)
    }.map { OccurrenceCondition(min: $0.min ?? 1, max: $0.max) }
    if let exactly = reader.positive("event_counter") {
      occurrence = occurrence ?? OccurrenceCondition(min: exactly, max: exactly)
    }
    let either: [(JSONKey, JSONKey)] = [
      ("event_revenue_range", "event_revenue_value"), ("event_occurrence_range", "event_counter"),
    ]
    for (range, value) in either where reader.has(range) && reader.has(value) {
      reader.complain("an event has \"\(range.name)\" or \"\(value.name)\", not both", about: value)
    }
  }
}

extension JSONObjectReader {
  /// A text that is not empty; empty is unset.
  fileprivate mutating func text(_ key: JSONKey) -> String? { string(key).flatMap { $0.isEmpty ? nil : $0 } }

  /// A whole number from 0, given as a number or as text.
  fileprivate mutating func count(_ key: JSONKey, upTo limit: Int64 = .max) -> Int64? {
    read(key, limit == .max ? "a whole number, 0 or more" : "a whole number from 0 to \(limit)") { content in
      let number: Int64? =
        switch content {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number)
        case .string(let text): Int64(text)
        default: nil
        }
      return number.flatMap { (0...limit).contains($0) ? $0 : nil }
    }
  }

  /// The same, with 0 for unset.
  fileprivate mutating func positive(_ key: JSONKey) -> Int64? { count(key).flatMap { $0 == 0 ? nil : $0 } }

  /// An amount of money, 0 for unset.
  fileprivate mutating func amount(_ key: JSONKey) -> Double? {
    let amount = number(key)
    if let amount, amount < 0 { complain("\"\(key.name)\" must be 0 or more", about: key) }
    return amount.flatMap { $0 == 0 ? nil : $0 }
  }

  fileprivate mutating func coarseValue(_ key: JSONKey) -> CoarseValue? {
    let names = CoarseValue.allCases.map { $0.rawValue.uppercased() }
    return read(key, "one of \(names.joined(separator: ", "))") { content -> CoarseValue?? in
      guard case .string(let text) = content else { return nil }
      // The form's own words for "unset".
      if ["UNSPECIFIED", "UNKNOWN", "UNAVAILABLE", "NONE"].contains(text) { return .some(nil) }
      return CoarseValue(rawValue: text.lowercased()).map(Optional.some)
    }.flatMap(\.self)
  }

  fileprivate mutating func mapping(_ key: JSONKey) -> ValueMapping? {
    guard let node = node(key) else { return nil }
    var reader = JSONObjectReader(
      node, what: "a value mapping",
      spellings: ["min_time_post_install_hours", "max_time_post_install_hours", "mapped_events"])
    var mapping = ValueMapping()
    mapping.range = node.range
    mapping.minHours = reader.positive("min_time_post_install_hours")
    mapping.maxHours = reader.positive("max_time_post_install_hours")
    if let least = mapping.minHours, let most = mapping.maxHours, least >= most {
      reader.complain("the hours end (\(most)) before they begin (\(least))", about: "max_time_post_install_hours")
    }
    mapping.events = reader.items("mapped_events") { MappedEvent($0, in: &$1) }
    add(reader.problems)
    return mapping
  }

  /// `{"min_NAME":…,"max_NAME":…}` under a key.
  fileprivate mutating func range<Bound: Comparable>(
    _ key: JSONKey, _ name: String, _ what: StaticString, read: (inout JSONObjectReader, JSONKey) -> Bound?
  ) -> (min: Bound?, max: Bound?)? {
    guard let node = node(key) else { return nil }
    var reader = JSONObjectReader(node, what: what, spellings: ["min_\(name)", "max_\(name)"])
    let bounds = (min: read(&reader, JSONKey("min_\(name)")), max: read(&reader, JSONKey("max_\(name)")))
    if let least = bounds.min, let most = bounds.max, least > most {
      reader.complain("\(what) ends (\(most)) before it begins (\(least))", about: JSONKey("max_\(name)"))
    }
    add(reader.problems)
    return bounds
  }
}

extension JSONObjectReader {
  /// For an object whose keys may be in snake_case or in camelCase.
  fileprivate init(_ node: JSONNode, what: StaticString, spellings: [String]) {
    self.init(node, what: what, known: JSONKeys(spellings, takesCamelCase: true))
  }
}
