import SKANDevice
import SKANJSON

extension ConversionModel {
  /// Reads a model in all spellings of its public form: camelCase or snake_case keys, 64-bit integers as strings, an
  /// unset value as 0, the whole wrapped in `{"schema":{…}}`.
  ///
  /// - Throws: every problem that makes the file unusable, with its place. What ``problems`` finds beyond is not among
  ///   them.
  package init(_ bytes: [UInt8]) throws(SourceProblems) {
    var node = try JSONReader.readSource(bytes).snakeCased
    if let twice = node.firstDoubledKey {
      throw [SourceProblem("the key \"\(twice.key)\" is given in both spellings", at: twice.keyRange)]
    }
    if let schema = node.member("schema") {
      let wrapper = JSONObjectReader(node, what: "the wrapper of a model", known: ["schema", "resource_name"])
      guard wrapper.problems.isEmpty else { throw SourceProblems(wrapper.problems) }
      node = schema
    }
    var reader = JSONObjectReader(
      node, what: "a model",
      known: ["app_id", "measurement_window_hours", "fine_grained_conversion_value_mappings", "postback_mappings"])
    self.init()
    appID = reader.text("app_id")
    measurementHours = reader.positive("measurement_window_hours")
    fine = reader.items("fine_grained_conversion_value_mappings") { FineMapping($0, in: &$1) }
    var seen: Set<ConversionWindow> = []
    for (window, model) in reader.items("postback_mappings", read: WindowModel.read) {
      if !seen.insert(window).inserted {
        reader.complain("postback \(window.rawValue) is mapped twice", about: "postback_mappings")
      }
      windows[window] = model
    }
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
  }
}

extension ConversionModel.FineMapping {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(
      node, what: "a fine mapping", known: ["fine_grained_conversion_value", "conversion_value_mapping"])
    defer { outer.add(reader.problems) }
    // Zero is left out in proto3's JSON.
    value = reader.count("fine_grained_conversion_value", upTo: 63) ?? 0
    mapping = reader.mapping("conversion_value_mapping") ?? ValueMapping()
    mapping.range = node.range
  }
}

extension ConversionModel.WindowModel {
  static func read(_ node: JSONNode, in outer: inout JSONObjectReader) -> (ConversionWindow, Self)? {
    let locks = [
      "lock_window_coarse_conversion_value", "lock_window_fine_conversion_value", "lock_window_event",
    ]
    var reader = JSONObjectReader(
      node, what: "a postback mapping",
      known: ["postback_sequence_index", "coarse_grained_conversion_value_mappings"] + locks)
    defer { outer.add(reader.problems) }
    var model = Self()
    let index = reader.count("postback_sequence_index", upTo: 2) ?? 0
    if let ladder = reader.node("coarse_grained_conversion_value_mappings") {
      var steps = JSONObjectReader(
        ladder, what: "the coarse mappings",
        known: CoarseValue.allCases.map { "\($0.rawValue)_conversion_value_mapping" })
      model.coarse = CoarseValue.allCases.compactMap { value in
        let key = "\(value.rawValue)_conversion_value_mapping"
        guard let mapping = steps.mapping(key) else { return nil }
        return ConversionModel.CoarseMapping(value: value, mapping: mapping)
      }
      reader.add(steps.problems)
    }
    if locks.filter({ reader.node($0) != nil }).count > 1 {
      reader.complain("a window has one lock trigger, of fine value, coarse value and event", about: locks[1])
    }
    model.lock =
      reader.coarseValue(locks[0]).map(ConversionModel.LockTrigger.coarse)
      ?? reader.count(locks[1], upTo: 63).map(ConversionModel.LockTrigger.fine)
      ?? reader.text(locks[2]).map(ConversionModel.LockTrigger.event)
    return ConversionWindow(rawValue: Int(index)).map { ($0, model) }
  }
}

extension MappedEvent {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(
      node, what: "a mapped event",
      known: [
        "mapped_event_name", "currency_code", "event_revenue_range", "event_revenue_value", "event_occurrence_range",
        "event_counter",
      ])
    defer { outer.add(reader.problems) }
    guard let name = reader.require("mapped_event_name", reader.text("mapped_event_name")) else {
      if reader.node("mapped_event_name") != nil {
        reader.complain("an event needs a name", about: "mapped_event_name")
      }
      return nil
    }
    self.name = name
    currency = reader.text("currency_code")
    revenue = reader.range("event_revenue_range", "event_revenue", "a revenue range") { object, key in
      object.amount(key)
    }.map { RevenueCondition(min: $0.min ?? 0, max: $0.max) }
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
    for (range, value) in [("event_revenue_range", "event_revenue_value"), ("event_occurrence_range", "event_counter")]
    {
      if reader.node(range) != nil, reader.node(value) != nil {
        reader.complain("an event has \"\(range)\" or \"\(value)\", not both", about: value)
      }
    }
  }
}

extension JSONObjectReader {
  /// A text that is not empty; empty is unset.
  fileprivate mutating func text(_ key: String) -> String? { string(key).flatMap { $0.isEmpty ? nil : $0 } }

  /// A whole number from 0, given as a number or as text.
  fileprivate mutating func count(_ key: String, upTo limit: Int64 = .max) -> Int64? {
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
  fileprivate mutating func positive(_ key: String) -> Int64? { count(key).flatMap { $0 == 0 ? nil : $0 } }

  /// An amount of money, 0 for unset.
  fileprivate mutating func amount(_ key: String) -> Double? {
    let amount = number(key)
    if let amount, amount < 0 { complain("\"\(key)\" must be 0 or more", about: key) }
    return amount.flatMap { $0 == 0 ? nil : $0 }
  }

  fileprivate mutating func coarseValue(_ key: String) -> CoarseValue? {
    let names = CoarseValue.allCases.map { $0.rawValue.uppercased() }
    return read(key, "one of \(names.joined(separator: ", "))") { content -> CoarseValue?? in
      guard case .string(let text) = content else { return nil }
      // The form's own words for "unset".
      if ["UNSPECIFIED", "UNKNOWN", "UNAVAILABLE", "NONE"].contains(text) { return .some(nil) }
      return CoarseValue(rawValue: text.lowercased()).map(Optional.some)
    }.flatMap(\.self)
  }

  fileprivate mutating func mapping(_ key: String) -> ValueMapping? {
    guard let node = node(key) else { return nil }
    var reader = JSONObjectReader(
      node, what: "a value mapping",
      known: ["min_time_post_install_hours", "max_time_post_install_hours", "mapped_events"])
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
    _ key: String, _ name: String, _ what: String, read: (inout JSONObjectReader, String) -> Bound?
  ) -> (min: Bound?, max: Bound?)? {
    guard let node = node(key) else { return nil }
    var reader = JSONObjectReader(node, what: what, known: ["min_\(name)", "max_\(name)"])
    let bounds = (min: read(&reader, "min_\(name)"), max: read(&reader, "max_\(name)"))
    if let least = bounds.min, let most = bounds.max, least > most {
      reader.complain("\(what) ends (\(most)) before it begins (\(least))", about: "max_\(name)")
    }
    add(reader.problems)
    return bounds
  }
}

extension JSONNode {
  /// The same with keys in snake_case: `appId` becomes `app_id`.
  fileprivate var snakeCased: JSONNode {
    switch content {
    case .array(let items): JSONNode(.array(items.map(\.snakeCased)), range: range)
    case .object(let members):
      JSONNode(
        .object(
          members.map { member in
            var member = member
            member.key = member.key.snakeCased
            member.value = member.value.snakeCased
            return member
          }), range: range)
    default: self
    }
  }
}

extension JSONNode {
  /// A key that two spellings give twice.
  fileprivate var firstDoubledKey: JSONMember? {
    switch content {
    case .array(let items): return items.lazy.compactMap(\.firstDoubledKey).first
    case .object(let members):
      var seen: Set<String> = []
      return members.first { !seen.insert($0.key).inserted } ?? members.lazy.compactMap(\.value.firstDoubledKey).first
    default: return nil
    }
  }
}

extension String {
  fileprivate var snakeCased: String {
    reduce(into: "") { text, letter in text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter) }
  }
}
