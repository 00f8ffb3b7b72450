import SKANDevice
import SKANBase
import SKANReceive
import SKANSigning

/// What `skan verify`, `skan receive` and `skan receiver-test` print with `--json`.
enum PostbackSchema {
  private static let text = JSONForm.text
  private static let count = JSONForm.count
  private static let line = JSONForm.integer(1 ... .max)

  /// An object a postback.
  static var verdict: JSONForm {
    let note: [(key: String, form: JSONForm)] = [("line", line), ("column", line), ("message", text)]
    let codes = JSONForm.names(PostbackFinding.Code.allCases.map(\.rawValue))
    let notSigned = JSONForm.each(
      of: PostbackField.allCases.map(\.rawValue), .anyOf([.text, .number]), isComplete: false)
    return SchemaObject(
      "verdict",
      [
        ("file", text), ("line", line), ("outcome", .names(PostbackVerdict.Outcome.allCases.map(\.rawValue))),
        ("explanation", text), ("version", JSONForm.names(AdVersion.allCases.map(\.rawValue)).orNull),
        ("transaction_id", text.orNull), ("simulated", JSONForm.bool.orNull),
        ("problems", .list(SchemaObject("problem", note).form)),
        ("findings", .list(SchemaObject("finding", [("code", codes)] + note).form)), ("not_signed", notSigned.orNull),
        ("repeats_line", line.orNull), ("repeats_file", text.orNull), ("signed_string", text.orNull),
        ("repetition", .names(Repetition.allCases.map(\.rawValue))), ("seen_line", line.orNull),
        ("decoded", ReceivedSchema.decoded.form.orNull),
      ], optional: ["repeats_file", "signed_string", "repetition", "seen_line", "decoded"]
    ).form
  }

  /// An object a postback, one of the counts, and one a receiver of `--forward`.
  static var received: JSONForm {
    let record = SchemaObject(
      "postback that is kept", keys: ["file", "line"] + ReceivedSchema.record.keys,
      required: ["file", "line"] + ReceivedSchema.record.keys,
      ReceivedSchema.record.forms.merging(["file": text, "line": line]) { first, _ in first })
    let decoded = DecodedCounts().parts.map(\.key)
    let counts = SchemaObject(
      "counts",
      (["received", "valid", "invalid", "not_checked", "first", "duplicates", "conflicts"] + decoded).map {
        ($0, count)
      }, optional: decoded)
    let forward = SchemaObject("receiver", [("forward", text), ("accepted", count), ("is_complete", .bool)])
    return .anyOf([record.form, counts.form, forward.form])
  }

  /// An object a delivery, a cause of wrong answers, and then of counts and a number that differs.
  static var receiverTest: JSONForm {
    let level = JSONForm.names(ReceiverDelivery.Level.allCases.map(\.rawValue))
    let right = JSONForm.names(ReceiverDelivery.RightAnswer.allCases.map(\.rawValue))
    let finding = SchemaObject(
      "delivery",
      [
        ("delivery", text), ("result", .names(ReceiverFinding.names)), ("level", level), ("answer", text),
        ("must_be", right), ("request", text), ("why", text), ("open", text.orNull),
      ])
    let cause = SchemaObject(
      "cause",
      [
        ("cause", text), ("level", level), ("deliveries", .list(text)), ("answer", text), ("must_be", right),
        ("why", text),
      ])
    let counts = ["deliveries"] + ReceiverFinding.names.map { $0.replacing("-", with: "_") }
    let range = SchemaObject("range", [("least", count), ("most", count)]).form
    let expected = SchemaObject(
      "expected counts",
      ["installs", "redownloads", "duplicates", "conflicts"].map { ($0, range) } + [("forgeries", count)])
    let difference = SchemaObject(
      "difference",
      [("count", text), ("actual", .number), ("least", .number), ("most", .number), ("hint", text.orNull)])
    let compared = SchemaObject("comparison", [("compared", text), ("agreed", count), ("differing", count)])
    return .anyOf([
      finding.form, cause.form, .each(of: counts, count), SchemaObject("expected", [("expected", expected.form)]).form,
      difference.form, compared.form,
    ])
  }
}
