import SKANDevice

/// An object of a model's file with its keys: the readers, help and schema go by it.
package struct ModelObject: Sendable {
  package let name: String
  /// In snake case; in camel case they are read, too.
  package let keys: [String]

  package static let model = ModelObject(
    name: "model",
    keys: [
      "app_id", "measurement_window_hours", "fine_grained_conversion_value_mappings", "postback_mappings", "$schema",
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

  /// From the outermost inwards.
  package static let all = [
    model, fineMapping, postbackMapping, coarseMappings, mapping, mappedEvent, revenueRange, occurrenceRange,
  ]
}
