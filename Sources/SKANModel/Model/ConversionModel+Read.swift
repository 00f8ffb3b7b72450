import SKANDevice
import SKANBase

extension ConversionModel {
  /// A model without the mappings that cannot be read, and what is wrong with those.
  static func read(_ node: JSONNode) -> (ConversionModel, [SourceProblem]) {
    var reader = JSONObjectReader(
      node, what: "a model", spellings: ModelObject.model.keys)
    // An editor's, which says nothing of the model.
    if let schema = reader.value("$schema"), case .string = schema.content {
    } else if reader.value("$schema") != nil {
      reader.complain("\"$schema\" must be a text", about: "$schema")
    }
    var model = ConversionModel()
    model.appID = reader.text("app_id")
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

  /// Whether there is nothing that it could answer.
  private var isEmpty: Bool {
    fine.isEmpty && ConversionWindow.allCases.allSatisfy { windows[$0].coarse.isEmpty && windows[$0].lock == nil }
  }
}

extension ConversionModel.FineMapping {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(
      node, what: "a fine mapping", spellings: ModelObject.fineMapping.keys)
    defer { outer.add(reader.problems) }
    // Zero is left out in proto3's JSON.
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
    // Zero is left out in proto3's JSON; what is not an index does not count as one.
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

  /// One of three; the others may be there with their defaults.
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
