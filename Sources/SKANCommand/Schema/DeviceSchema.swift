import SKANDevice
import SKANBase
import SKANSystem
import SKANRun

/// A device file.
enum DeviceSchema {
  static var form: JSONForm { file.form }

  static var objects: [SchemaObject] {
    [file, profile, kept, process, endpoint, answerer, time, forwarding]
  }

  private static var file: SchemaObject {
    SchemaObject(
      "device file", keys: DeviceFile.keys.names, required: ["format", "profile", "kept"],
      [
        "format": .integer(1...Int64(DeviceFile.format)), "profile": profile.form, "kept": kept.form,
        "process": process.form, "framework": AppleFramework.jsonForm, "endpoint": endpoint.form, "time": time.form,
        "framework_calls": .list(RecordedCall.jsonForm), "history": .list(LifeEvent.jsonForm),
        "deliveries": .list(Delivery.jsonForm),
        "idempotency_keys": .list(.text), "forwarding": forwarding.form,
      ])
  }

  private static let profile = SchemaObject("profile", keys: DeviceProfile.keys, StepSchema.profileForms)

  /// As answers gave them; revenue by currency.
  private static let kept = SchemaObject(
    "kept", keys: StoreEntry.all.map(\.name),
    Dictionary(
      uniqueKeysWithValues: StoreEntry.all.map { entry in
        (entry.name, entry.isRevenue ? .map(of: .number) : .anyOf([.number, .text, .bool]))
      }))

  private static let process = SchemaObject(
    "process", keys: DeviceFile.processKeys.names, ["lock_held": .bool, "launches": .integer(1 ... .max)])

  private static let counts = JSONForm.object(
    ConversionWindow.allCases.map { ($0.key, .map(of: .integer(0 ... .max))) }, required: [], others: nil)

  private static let endpoint = SchemaObject(
    "endpoint", keys: DeviceFile.endpointKeys.names,
    ["test_calls": .integer(0 ... .max), "event_counts": counts, "answered_by": answerer.form])

  private static let answerer = SchemaObject(
    "who answered last", keys: KnownAnswerer.keys.names, required: ["name"], ["name": .text, "hash": .text])

  private static let time = SchemaObject(
    "time", keys: DeviceFile.timeKeys.names,
    ["virtual": .bool, "first": JSONForm.number.orNull, "first_given": .bool, "end": JSONForm.number.orNull])

  private static let forwarding = SchemaObject(
    "forwarding", keys: ForwardingMemory.keys.names,
    ["session_sent": .bool, "event_counts": counts, "kept_before_answer": kept.form])
}
