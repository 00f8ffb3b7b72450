import SKANBase

/// An object of a schema: the keys are those of the reader's or writer's table, so that a new one is missed by a test.
struct SchemaObject: Sendable {
  let name: String
  /// The table's.
  let keys: [String]
  let required: [String]
  let forms: [String: JSONForm]

  init(_ name: String, keys: [String], required: [String] = [], _ forms: [String: JSONForm]) {
    self.name = name
    self.keys = keys
    self.required = required
    self.forms = forms
  }

  /// Closed, as the readers refuse unknown keys. What has no form could be anything, and no test would pass.
  var form: JSONForm { .object(keys.map { ($0, forms[$0] ?? .any) }, required: required, others: nil) }

  /// Those of all schemas.
  static var all: [SchemaObject] {
    StepSchema.objects + DeviceSchema.objects + ProjectSchema.objects + ModelSchema.objects
  }
}
