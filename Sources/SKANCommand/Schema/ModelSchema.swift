import SKANBase
import SKANCommandLine
import SKANModel

/// The schema of a conversion model, in any of the envelopes that are read. Keys are in snake case or camel case, and
/// null means unset.
enum ModelSchema {
  static var form: JSONForm {
    let model = form(of: model)
    let stream = envelope([
      (ModelEnvelope.resource, ["schema": model, "resource_name": text]), (ModelEnvelope.response, [:]),
    ])
    return .anyOf([model] + stream + [.list(.map(of: .any))])
  }

  /// Objects in which some keys have a form and the others accept anything.
  private static func envelope(_ parts: [(keys: [String], forms: [String: JSONForm])]) -> [JSONForm] {
    (parts + [
      (ModelEnvelope.mutation, [:]), ([ModelEnvelope.row, "customer"], [:]), (["update", "update_mask"], [:]),
    ]).map {
      keys, forms in
      .object(
        (keys + ["$schema"]).flatMap { key in
          spellings(key).map { ($0, forms[key] ?? (key == "$schema" ? .text : .any)) }
        },
        required: forms["schema"] == nil ? [] : ["schema"], others: nil)
    }
  }

  static var objects: [SchemaObject] {
    [model, fineMapping, postbackMapping, coarseMappings, mapping, mappedEvent, revenueRange, occurrenceRange]
  }

  /// The form of an object with both spellings of each key.
  private static func form(of object: SchemaObject) -> JSONForm {
    .object(
      object.keys.flatMap { key in spellings(key).map { ($0, object.forms[key] ?? .any) } }, required: object.required,
      others: nil)
  }

  private static func spellings(_ key: String) -> [String] {
    let words = key.split(separator: "_")
    let camel = words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    return camel == key ? [key] : [key, camel]
  }

  // Proto3's JSON mapping also writes numbers as strings.
  private static let count = JSONForm.anyOf([.integer(0 ... .max), .string(pattern: "^ *[0-9.eE+]+ *$"), .null])
  private static let amount = JSONForm.anyOf([.number, .string(pattern: "^ *([0-9.eE+-]+|Infinity) *$"), .null])
  private static let text = JSONForm.text.orNull
  private static func list(_ object: SchemaObject) -> JSONForm { JSONForm.list(form(of: object)).orNull }
  private static func one(_ object: SchemaObject) -> JSONForm { form(of: object).orNull }

  private static var model: SchemaObject {
    object(
      .model,
      [
        "app_id": text, "measurement_window_hours": count, "fine_grained_conversion_value_mappings": list(fineMapping),
        "postback_mappings": list(postbackMapping), "description": text, "fitted_to": text, "$schema": text,
      ])
  }

  private static var fineMapping: SchemaObject {
    object(.fineMapping, ["fine_grained_conversion_value": count, "conversion_value_mapping": one(mapping)])
  }

  private static var postbackMapping: SchemaObject {
    object(
      .postbackMapping,
      [
        "postback_sequence_index": count, "coarse_grained_conversion_value_mappings": one(coarseMappings),
        "lock_window_coarse_conversion_value": .anyOf([.text, .integer, .null]),
        "lock_window_fine_conversion_value": count, "lock_window_event": text,
      ])
  }

  private static var coarseMappings: SchemaObject {
    object(
      .coarseMappings,
      Dictionary(uniqueKeysWithValues: ModelObject.coarseMappings.keys.map { ($0, one(mapping)) }))
  }

  private static var mapping: SchemaObject {
    object(
      .mapping,
      [
        "min_time_post_install_hours": count, "max_time_post_install_hours": count, "mapped_events": list(mappedEvent),
      ])
  }

  private static var mappedEvent: SchemaObject {
    object(
      .mappedEvent,
      [
        "mapped_event_name": text, "currency_code": text, "event_revenue_range": one(revenueRange),
        "event_revenue_value": amount, "event_occurrence_range": one(occurrenceRange), "event_counter": count,
      ])
  }

  private static var revenueRange: SchemaObject {
    object(.revenueRange, ["min_event_revenue": amount, "max_event_revenue": amount])
  }

  private static var occurrenceRange: SchemaObject {
    object(.occurrenceRange, ["min_event_count": count, "max_event_count": count])
  }

  private static func object(_ object: ModelObject, _ forms: [String: JSONForm]) -> SchemaObject {
    SchemaObject(object.name, keys: object.keys, forms)
  }
}
