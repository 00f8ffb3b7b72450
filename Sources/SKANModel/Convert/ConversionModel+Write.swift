import SKANDevice
import SKANBase

extension ConversionModel {
  /// The model in its public form, with snake_case keys, what is unset left out; read again it is the same model.
  package var json: JSON {
    var members: [(String, JSON)] = []
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
  /// What follows the index; nil for a window of which nothing is said.
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
      // Zero is unset; a beginning alone is.
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
  /// Whole amounts without a fraction, as people write them.
  fileprivate static func amount(_ number: Double) -> JSON {
    Int64(exactly: number).map(JSON.integer) ?? .double(number)
  }
}
