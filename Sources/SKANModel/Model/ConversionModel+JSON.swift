import SKANBase
import SKANDevice

extension ConversionModel {
  /// A model without the mappings that cannot be read, and their problems.
  static func read(_ node: JSONNode) -> (ConversionModel, [SourceProblem]) {
    var reader = JSONObjectReader(
      node, what: "a model", spellings: ModelObject.model.keys)
    // For editors; it is not part of the model.
    if let schema = reader.value("$schema"), case .string = schema.content {
    } else if reader.value("$schema") != nil {
      reader.complain("\"$schema\" must be a text", about: "$schema")
    }
    var model = ConversionModel()
    model.appID = reader.text("app_id")
    model.description = reader.text("description")
    model.fittedTo = reader.text("fitted_to")
    model.measurementHours = reader.positive("measurement_window_hours")
    model.measurementRange = reader.value("measurement_window_hours")?.range ?? model.measurementRange
    model.fine = reader.list("fine_grained_conversion_value_mappings") { FineMapping($0, in: &$1) }
    var seen: Set<ConversionWindow> = []
    let windows = reader.list("postback_mappings") { node, reader in
      WindowModel.read(node, in: &reader).map { (window: $0.0, model: $0.1, range: node.range) }
    }
    for (window, windowModel, range) in windows {
      if !seen.insert(window).inserted {
        reader.add([SourceProblem("postback \(window.rawValue) is mapped twice", at: range)])
      }
      model.windows[window] = windowModel
    }
    if model.isEmpty, reader.problems.isEmpty {
      reader.complain("the model maps nothing: neither a fine value nor a coarse one, nor a lock")
    }
    return (model, reader.problems)
  }

  /// Whether the model gives no values.
  private var isEmpty: Bool {
    fine.isEmpty && ConversionWindow.allCases.allSatisfy { windows[$0].coarse.isEmpty && windows[$0].lock == nil }
  }
}

extension ConversionModel.FineMapping {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(
      node, what: "a fine mapping", spellings: ModelObject.fineMapping.keys)
    defer { outer.add(reader.problems) }
    // Omitted in proto3's JSON if it is zero.
    value = reader.count("fine_grained_conversion_value", upTo: 63) ?? 0
    mapping = reader.mapping("conversion_value_mapping") ?? ValueMapping()
    mapping.range = node.range
    if !reader.problems.isEmpty { return nil }
  }
}

extension ConversionModel.WindowModel {
  private static let locks = ModelObject.lockKeys.map { JSONKey($0) }

  static func read(_ node: JSONNode, in outer: inout JSONObjectReader) -> (ConversionWindow, Self)? {
    var reader = JSONObjectReader(
      node, what: "a postback mapping",
      spellings: ModelObject.postbackMapping.keys)
    defer { outer.add(reader.problems) }
    var model = Self()
    let index = reader.count("postback_sequence_index", upTo: 2)
    // Zero is omitted in proto3's JSON, but an invalid index does not count as zero.
    let isNoIndex = index == nil && reader.value("postback_sequence_index") != nil
    let window = isNoIndex ? nil : ConversionWindow(rawValue: Int(index ?? 0))
    if let ladder = reader.value("coarse_grained_conversion_value_mappings") {
      var steps = JSONObjectReader(
        ladder, what: "the coarse mappings",
        spellings: ModelObject.coarseMappings.keys)
      model.coarse = CoarseValue.allCases.compactMap { value in
        let key = JSONKey("\(value.rawValue)_conversion_value_mapping")
        let before = steps.problems.count
        guard let mapping = steps.mapping(key), steps.problems.count == before else { return nil }
        return ConversionModel.CoarseMapping(value: value, mapping: mapping)
      }
      reader.add(steps.problems)
    }
    model.readLock(&reader)
    return window.map { ($0, model) }
  }

  /// Reads one of three triggers; the others may be present with their defaults.
  private mutating func readLock(_ reader: inout JSONObjectReader) {
    let triggers = [
      reader.coarseValue(Self.locks[0]).map(ConversionModel.LockTrigger.coarse),
      reader.count(Self.locks[1], upTo: 63).flatMap { $0 == 0 ? nil : ConversionModel.LockTrigger.fine($0) },
      reader.text(Self.locks[2]).map(ConversionModel.LockTrigger.event),
    ]
    let given = zip(Self.locks, triggers).filter { $0.1 != nil }
    if given.count > 1 {
      reader.complain("a window has one lock trigger, of fine value, coarse value and event", about: given[1].0)
    }
    lock = given.first?.1
    lockRange = given.first.flatMap { reader.value($0.0)?.range } ?? lockRange
  }
}

extension JSONObjectReader {
  fileprivate mutating func mapping(_ key: JSONKey) -> ValueMapping? {
    guard let node = value(key) else { return nil }
    var reader = JSONObjectReader(
      node, what: "a value mapping",
      spellings: ModelObject.mapping.keys)
    var mapping = ValueMapping()
    mapping.range = node.range
    mapping.minHours = reader.positive("min_time_post_install_hours")
    mapping.maxHours = reader.positive("max_time_post_install_hours")
    if let least = mapping.minHours, let most = mapping.maxHours, least >= most {
      reader.complain("the hours end (\(most)) before they begin (\(least))", about: "max_time_post_install_hours")
    }
    mapping.events = reader.list("mapped_events") { MappedEvent($0, in: &$1) }
    add(reader.problems)
    return mapping
  }
}

extension MappedEvent {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(
      node, what: "a mapped event", spellings: ModelObject.mappedEvent.keys)
    defer { outer.add(reader.problems) }
    let before = reader.problems.count
    currency = reader.text("currency_code")
    let amounts = reader.range("event_revenue_range", "event_revenue", "a revenue range") { object, key, isEnd in
      object.amount(key, takesInfinity: isEnd)
    }
    let counts = reader.range("event_occurrence_range", "event_count", "an occurrence range") { object, key, _ in
      object.positive(key)
    }
    let (atLeast, exactly) = (reader.amount("event_revenue_value"), reader.positive("event_counter"))
    revenue =
      amounts.map { RevenueCondition(min: $0.min ?? 0, max: $0.max) } ?? atLeast.map { RevenueCondition(min: $0) }
    occurrence =
      counts.map { OccurrenceCondition(min: $0.min ?? 1, max: $0.max) }
      ?? exactly.map { OccurrenceCondition(min: $0, max: $0) }
    // Without a name, the entry is about revenue alone.
    name = reader.text("mapped_event_name") ?? (revenue == nil ? "" : Self.allRevenue)
    if name.isEmpty {
      if reader.value("mapped_event_name") == nil {
        reader.require("mapped_event_name")
      } else if reader.problems.count == before {
        reader.complain("an event needs a name", about: "mapped_event_name")
      }
      return nil
    }
    if let revenue, revenue.min == revenue.max {
      reader.complain("no revenue is in this range: its end is not part of it", about: "event_revenue_range")
    }
    if amounts != nil, atLeast != nil { reader.complainOfBoth("event_revenue_range", "event_revenue_value") }
    if counts != nil, exactly != nil { reader.complainOfBoth("event_occurrence_range", "event_counter") }
  }
}

extension JSONObjectReader {
  fileprivate mutating func require(_ key: JSONKey) {
    complain("a mapped event needs the key \"\(key.name)\"")
  }

  fileprivate mutating func complainOfBoth(_ range: JSONKey, _ value: JSONKey) {
    complain("an event has \"\(range.name)\" or \"\(value.name)\", not both", about: value)
  }

  /// Reads `{"min_NAME":…,"max_NAME":…}` under a key; nil if neither is set.
  fileprivate mutating func range<Bound: Comparable>(
    _ key: JSONKey, _ name: String, _ what: StaticString,
    read: (inout JSONObjectReader, JSONKey, _ isEnd: Bool) -> Bound?
  ) -> (min: Bound?, max: Bound?)? {
    guard let node = value(key) else { return nil }
    var reader = JSONObjectReader(node, what: what, spellings: ["min_\(name)", "max_\(name)"])
    let bounds = (
      min: read(&reader, JSONKey("min_\(name)"), false), max: read(&reader, JSONKey("max_\(name)"), true)
    )
    if let least = bounds.min, let most = bounds.max, least > most {
      reader.complain("\(what) ends (\(most)) before it begins (\(least))", about: JSONKey("max_\(name)"))
    }
    add(reader.problems)
    return bounds.min == nil && bounds.max == nil ? nil : bounds
  }
}

/// An object in a model's file with its keys, for the readers, help and schema.
package struct ModelObject: Sendable {
  package let name: String
  /// The keys in snake case; readers accept them in camel case too.
  package let keys: [String]

  package static let model = ModelObject(
    name: "model",
    keys: [
      "app_id", "measurement_window_hours", "fine_grained_conversion_value_mappings", "postback_mappings",
      "description", "fitted_to", "$schema",
    ])
  package static let fineMapping = ModelObject(
    name: "fine mapping", keys: ["fine_grained_conversion_value", "conversion_value_mapping"])
  package static let postbackMapping = ModelObject(
    name: "postback mapping",
    keys: ["postback_sequence_index", "coarse_grained_conversion_value_mappings"] + lockKeys)
  static let lockKeys = [
    "lock_window_coarse_conversion_value", "lock_window_fine_conversion_value", "lock_window_event",
  ]
  package static let coarseMappings = ModelObject(
    name: "coarse mappings", keys: CoarseValue.allCases.map { "\($0.rawValue)_conversion_value_mapping" })
  package static let mapping = ModelObject(
    name: "mapping", keys: ["min_time_post_install_hours", "max_time_post_install_hours", "mapped_events"])
  package static let mappedEvent = ModelObject(
    name: "mapped event",
    keys: [
      "mapped_event_name", "currency_code", "event_revenue_range", "event_revenue_value", "event_occurrence_range",
      "event_counter",
    ])
  package static let revenueRange = ModelObject(
    name: "revenue range", keys: ["min_event_revenue", "max_event_revenue"])
  package static let occurrenceRange = ModelObject(
    name: "occurrence range", keys: ["min_event_count", "max_event_count"])

  /// All objects, from the outermost inwards.
  package static let all = [
    model, fineMapping, postbackMapping, coarseMappings, mapping, mappedEvent, revenueRange, occurrenceRange,
  ]
}

/// Values in proto3's JSON: null, 0 and an empty text are "unset", and numbers may be texts.
extension JSONObjectReader {
  /// For an object whose keys may be in snake_case or in camelCase.
  init(_ node: JSONNode, what: StaticString, spellings: [String]) {
    self.init(node, what: what, known: JSONKeys(spellings, takesCamelCase: true))
  }

  /// The value of a key that is neither absent nor null.
  func value(_ key: JSONKey) -> JSONNode? { node(key).flatMap { $0.isNull ? nil : $0 } }

  /// The items of an array.
  mutating func list<Item>(_ key: JSONKey, read: (JSONNode, inout JSONObjectReader) -> Item?) -> [Item] {
    value(key) == nil ? [] : items(key, read: read)
  }

  /// A text that is not empty.
  mutating func text(_ key: JSONKey) -> String? {
    guard value(key) != nil, let text = string(key), !text.isEmpty else { return nil }
    return text
  }

  /// An integer from 0.
  mutating func count(_ key: JSONKey, upTo limit: Int64 = .max) -> Int64? {
    guard value(key) != nil else { return nil }
    return read(key, limit == .max ? "a whole number, 0 or more" : "a whole number from 0 to \(limit)") { content in
      let number: Int64? =
        switch content.unquoted {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number)
        default: nil
        }
      return number.flatMap { (0...limit).contains($0) ? $0 : nil }
    }
  }

  /// An integer from 1; nil for 0, which is unset.
  mutating func positive(_ key: JSONKey) -> Int64? { count(key).flatMap { $0 == 0 ? nil : $0 } }

  /// An amount of money; 0 is unset.
  ///
  /// - Parameter takesInfinity: whether `"Infinity"` is accepted, for no end.
  mutating func amount(_ key: JSONKey, takesInfinity: Bool = false) -> Double? {
    guard value(key) != nil else { return nil }
    let amount = read(key, "a number") { content -> Double? in
      switch content.unquoted {
      case .integer(let number): Double(number)
      case .unsigned(let number): Double(number)
      case .double(let number): number
      case .string("Infinity") where takesInfinity: .infinity
      default: nil
      }
    }
    guard let amount else { return nil }
    if amount < 0 { complain("\"\(key.name)\" must be 0 or more", about: key) }
    return amount == 0 || amount == .infinity ? nil : amount
  }

  /// A coarse value by its name or its number.
  mutating func coarseValue(_ key: JSONKey) -> CoarseValue? {
    guard let node = value(key) else { return nil }
    let names = CoarseValue.allCases.map { $0.rawValue.uppercased() }
    switch node.content {
    // Unset: UNSPECIFIED, UNKNOWN, UNAVAILABLE and NONE.
    case .integer(0), .integer(1), .integer(2), .integer(6): return nil
    case .integer(3): return .low
    case .integer(4): return .medium
    case .integer(5): return .high
    case .string("UNSPECIFIED"), .string("UNKNOWN"), .string("UNAVAILABLE"), .string("NONE"), .string(""): return nil
    case .string(let text):
      if let index = names.firstIndex(of: text) { return CoarseValue.allCases[index] }
      let hint = names.contains(text.uppercased()) ? "; did you mean \"\(text.uppercased())\"?" : ""
      complain(
        "\"\(key.name)\" must be one of \(names.joined(separator: ", ")), this is \(node.briefly)\(hint)", about: key)
    default:
      complain("\"\(key.name)\" must be one of \(names.joined(separator: ", ")), this is \(node.briefly)", about: key)
    }
    return nil
  }
}

extension JSONNode.Content {
  /// The number in a text, by JSON's grammar; other values unchanged.
  fileprivate var unquoted: JSONNode.Content {
    guard case .string(let text) = self, !text.isEmpty, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = try? JSONReader.read(Array(text.utf8))
    else { return self }
    return number.content
  }
}

extension ConversionModel {
  /// The model in its public form, with snake_case keys and without unset members; reading it gives the same model.
  package var json: JSON {
    var members: [(String, JSON)] = []
    if let description { members.append(("description", .string(description))) }
    if let fittedTo { members.append(("fitted_to", .string(fittedTo))) }
    if let appID { members.append(("app_id", .string(appID))) }
    if let measurementHours { members.append(("measurement_window_hours", .integer(measurementHours))) }
    if !fine.isEmpty {
      let mappings = fine.map { fine in
        JSON.object([
          ("fine_grained_conversion_value", .integer(fine.value)), ("conversion_value_mapping", fine.mapping.json),
        ])
      }
      members.append(("fine_grained_conversion_value_mappings", .array(mappings)))
    }
    let windows = ConversionWindow.allCases.compactMap { window in
      self.windows[window].json.map {
        JSON.object([("postback_sequence_index", .integer(Int64(window.rawValue)))] + $0)
      }
    }
    if !windows.isEmpty { members.append(("postback_mappings", .array(windows))) }
    return .object(members)
  }
}

extension ConversionModel.WindowModel {
  /// The members after the index; nil for a window without any.
  fileprivate var json: [(String, JSON)]? {
    var members: [(String, JSON)] = []
    if !coarse.isEmpty {
      let mappings = coarse.map { ("\($0.value.rawValue)_conversion_value_mapping", $0.mapping.json) }
      members.append(("coarse_grained_conversion_value_mappings", .object(mappings)))
    }
    switch lock {
    case nil: break
    case .fine(let value)?: members.append(("lock_window_fine_conversion_value", .integer(value)))
    case .coarse(let value)?:
      members.append(("lock_window_coarse_conversion_value", .string(value.rawValue.uppercased())))
    case .event(let name)?: members.append(("lock_window_event", .string(name)))
    }
    return members.isEmpty ? nil : members
  }
}

extension ValueMapping {
  fileprivate var json: JSON {
    var members: [(String, JSON)] = []
    if let minHours { members.append(("min_time_post_install_hours", .integer(minHours))) }
    if let maxHours { members.append(("max_time_post_install_hours", .integer(maxHours))) }
    if !events.isEmpty { members.append(("mapped_events", .array(events.map(\.json)))) }
    return .object(members)
  }
}

extension MappedEvent {
  fileprivate var json: JSON {
    var members: [(String, JSON)] = [("mapped_event_name", .string(name))]
    if let currency { members.append(("currency_code", .string(currency))) }
    if let revenue {
      // Zero is unset, but a range without an end needs its start.
      let start = revenue.min > 0 ? [("min_event_revenue", JSON.amount(revenue.min))] : []
      let end = revenue.max.map { [("max_event_revenue", JSON.amount($0))] } ?? []
      members.append(("event_revenue_range", .object(start + end)))
    }
    if let occurrence {
      let end = occurrence.max.map { [("max_event_count", JSON.integer($0))] } ?? []
      members.append(("event_occurrence_range", .object([("min_event_count", .integer(occurrence.min))] + end)))
    }
    return .object(members)
  }
}

extension JSON {
  /// An amount as people write it, without a fraction if it is whole.
  static func amount(_ number: Double) -> JSON {
    Int64(exactly: number).map(JSON.integer) ?? .double(number)
  }
}
