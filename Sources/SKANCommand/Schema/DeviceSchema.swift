import SKANDevice
import SKANBase
import SKANSystem
import SKANRun

/// A device file.
enum DeviceSchema {
  static var form: JSONForm { file.form }

  static var objects: [SchemaObject] {
    [
      file, profile, kept, process, framework, held, heldFirst, endpoint, answerer, time, forwarding, call, event,
      delivery,
    ]
  }

  private static var file: SchemaObject {
    SchemaObject(
      "device file", keys: DeviceFile.keys.names, required: ["format", "profile", "kept"],
      [
        "format": .integer(1...Int64(DeviceFile.format)), "profile": profile.form, "kept": kept.form,
        "process": process.form, "framework": framework.form, "endpoint": endpoint.form, "time": time.form,
        "framework_calls": .list(call.form), "history": .list(event.form), "deliveries": .list(delivery.form),
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

  private static let framework = SchemaObject(
    "framework", keys: AppleFramework.keys.names,
    [
      "installed": .number, "first_launch": .number, "first_update": .number, "latest_call": .number,
      "timer_start": .number, "version": .names(AdVersion.allCases.map(\.rawValue)), "p0": heldFirst.form,
      "p1": held.form, "p2": held.form,
    ])

  private static let heldForms: [String: JSONForm] = [
    "updated": .bool, "coarse": .names(HeldCoarse.allCases.map(\.rawValue)), "locked_at": .number, "fine_only": .bool,
  ]
  private static let held = SchemaObject("window of Apple's", keys: HeldValues.keys, heldForms)
  private static let heldFirst = SchemaObject(
    "first window of Apple's", keys: HeldValues.keys + [HeldValues.fineKey],
    heldForms.merging([HeldValues.fineKey: .integer(0...63)]) { first, _ in first })

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

  private static let callForms: [String: JSONForm] = [
    "call": .names([FrameworkCall.Name.register, FrameworkCall.Name.update, FrameworkCall.Name.postback]),
    "fine": .integer, "coarse": JSONForm.names(CoarseValue.allCases.map(\.rawValue)).orNull, "lock": .bool,
    "error": JSONForm.integer.orNull, "at": .number,
  ]

  private static let call = SchemaObject(
    "framework call", keys: RecordedCall.keys.names, required: ["at", "call"], callForms)

  static let event = SchemaObject(
    "event of the history", keys: LifeEvent.keys.names, required: ["at", "op", "outcome"],
    callForms.merging([
      "op": .names(LifeEvent.operations), "name": .text, "amount": .number, "currency": .text, "ad_monetization": .bool,
      "outcome": .names(Outcome.allCases.map(\.name)), "apple": .names(CallFate.Kind.allCases.map(\.rawValue)),
      "answered_by": .text, "warnings": .list(.names(WarningCode.allCases.map(\.name))),
    ]) { first, _ in first })

  static let delivery = SchemaObject(
    "delivery", keys: Delivery.keys.names, required: ["at", "transaction_id", "sequence_index", "recipient", "url"],
    [
      "at": .number, "transaction_id": .text, "sequence_index": .integer(0...2),
      "recipient": .names(Delivery.Recipient.allCases.map(\.rawValue)), "url": .text, "status": .integer(100...999),
      "error": .text,
    ])
}
