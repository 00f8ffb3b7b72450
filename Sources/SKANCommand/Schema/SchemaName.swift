import SKANJSON

/// What `skan schema` can print.
enum SchemaName: String, CaseIterable, Sendable {
  case step, result, model, device, project, received

  var title: String {
    switch self {
    case .step: "a step of an event list, a line of its file"
    case .result: "the result of a step, as --json prints it"
    case .model: "a conversion model"
    case .device: "a device file"
    case .project: "a project file, skan.json"
    case .received: "a received postback, a line of its file"
    }
  }

  private var form: JSONForm {
    switch self {
    case .step: StepSchema.form
    case .result: ResultSchema.form
    case .model: ModelSchema.form
    case .device: DeviceSchema.form
    case .project: ProjectSchema.form
    case .received: ReceivedSchema.form
    }
  }

  /// The whole schema.
  var json: JSON {
    .object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("$id", .string("urn:skan:schema:\(rawValue)")),
        ("title", .string("skan: \(title)")),
      ] + form.members)
  }
}
