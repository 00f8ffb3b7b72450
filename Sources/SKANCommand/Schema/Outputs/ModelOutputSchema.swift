import SKANDevice
import SKANBase

/// What the commands of `skan model` print with `--json`.
enum ModelOutputSchema {
  private static let text = JSONForm.text
  private static let count = JSONForm.count
  private static let window = JSONForm.integer(0...2)

  /// The tables of a model.
  static var explained: JSONForm {
    let row = SchemaObject("value", [("value", text), ("meaning", text), ("never", text.orNull)])
    return .list(SchemaObject("table", [("title", text), ("values", .list(row.form))]).form)
  }

  static var decoded: JSONForm {
    SchemaObject(
      "meaning",
      [
        ("value", text), ("window", window), ("meaning", text), ("min_hours", count.orNull),
        ("max_hours", count.orNull), ("events", .list(ReceivedSchema.event.form)), ("never", text.orNull),
      ]
    ).form
  }

  static var difference: JSONForm {
    let difference = SchemaObject(
      "difference",
      [
        ("what", text), ("window", window.orNull), ("value", text.orNull),
        ("change", .names(["added", "removed", "changed"])), ("before", text.orNull), ("after", text.orNull),
      ])
    return SchemaObject("differences", [("equal", .bool), ("differences", .list(difference.form))]).form
  }

  /// The report of a fit, with the model.
  static var fit: JSONForm {
    let sample = JSONForm.each(of: ["devices", "devices_with_revenue", "revenue_micros"], count)
    let error = SchemaObject(
      "error",
      [("boundaries_micros", .list(count)), ("fitted_error_micros", count), ("held_out_error_micros", count)])
    return SchemaObject(
      "fit",
      [
        ("format", .integer(1...1)), ("currency", text), ("devices", count), ("devices_without_beginning", count),
        ("fitted", sample), ("held_out", sample),
        ("errors", .each(of: ["this_model", "quantiles", "equal_width"], error.form)),
        ("devices_by_value", .list(count)), ("model", ModelSchema.form),
      ]
    ).form
  }
}
