import SKANDevice
import SKANBase

/// What `skan history --json` and `skan why --json` print: an event of a device file, and what is said of it.
enum HistorySchema {
  static var form: JSONForm { entry.form }

  static var objects: [SchemaObject] { [entry] }

  /// Those that are always there: null where the file does not keep them.
  private static let always = LifeEvent.Account.keys

  private static var entry: SchemaObject {
    let event = DeviceSchema.event
    var forms = event.forms
    forms["step"] = .integer(1 ... .max)
    forms["sentence"] = .text
    for key in always { forms[key] = event.forms[key]?.orNull }
    return SchemaObject(
      "entry of the history",
      keys: ["step"] + event.keys + ["sentence"],
      required: ["step", "sentence"] + event.required + always, forms)
  }
}
