import SKANBase
import SKANTraffic

/// What `skan check --json` prints: the summary first, then an object a group of equal findings.
enum CheckSchema {
  static var form: JSONForm { .anyOf([summary.form, finding.form]) }

  private static let text = JSONForm.text
  private static let count = JSONForm.count
  private static let location: [(key: String, form: JSONForm)] = [("file", text), ("entry", count), ("line", count)]
  private static let rule = JSONForm.names(TrafficRule.allCases.map(\.rawValue))

  private static var summary: SchemaObject {
    let request = SchemaObject(
      "request",
      location + [
        ("request", text), ("device", device.form.orNull), ("at", JSONForm.number.orNull), ("url", text.orNull),
      ])
    let gap = SchemaObject(
      "gap", [("rule", rule), ("extent", .names(["all", "part"])), ("reason", text), ("request", request.form)],
      optional: ["request"])
    let remark = SchemaObject("remark", location + [("message", text)])
    return SchemaObject(
      "summary",
      [
        ("requests", count), ("devices", count), ("launch", count), ("evt", count), ("conversion_value", count),
        ("errors", count), ("warnings", count), ("notes", count), ("other_hosts", .map(of: count)),
        ("not_decrypted", .map(of: count)), ("websockets", count), ("not_evaluated", .list(gap.form)),
        ("problems", .list(remark.form)), ("more_problems", count), ("remarks", .list(remark.form)),
        ("more_remarks", count),
      ])
  }

  private static let device = SchemaObject(
    "device", [("app", text), ("kind", .names(TrafficDevice.Kind.allCases.map(\.rawValue))), ("id", text)])

  private static var finding: SchemaObject {
    SchemaObject(
      "finding",
      location + [
        ("rule", rule), ("level", .names(TrafficRule.Level.allCases.map(\.rawValue))),
        ("basis", .names(TrafficRule.Basis.allCases.map(\.rawValue))), ("message", text), ("remedy", text),
        ("article", text), ("device", device.form.orNull), ("at", JSONForm.number.orNull), ("count", count),
        ("url", text.orNull),
      ])
  }
}
