import SKANDevice
import SKANJSON

/// What `skan history --json` and `skan why --json` print: an event of a device file, and what is said of it.
enum HistorySchema {
  static var form: JSONForm { entry.form }

  static var objects: [SchemaObject] { [entry] }

  /// Those that are null because they are not kept.
  private static let notKept = HistoryEntry.notKept.filter { !LifeEvent.keys.names.contains($0) }

  private static let entry = SchemaObject(
    "entry of the history", keys: ["step"] + LifeEvent.keys.names + ["sentence"] + notKept,
    required: ["step", "sentence"] + DeviceSchema.event.required + notKept,
    DeviceSchema.event.forms
      .merging(["step": .integer(1 ... .max), "sentence": .text]) { first, _ in first }
      .merging(notKept.map { ($0, JSONForm.null) }) { first, _ in first })
}
