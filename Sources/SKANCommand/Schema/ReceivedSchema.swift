import SKANDevice
import SKANBase
import SKANModel
import SKANReceive

/// A line of the file of received postbacks.
enum ReceivedSchema {
  static var form: JSONForm { record.form }

  static var objects: [SchemaObject] { [record, finding, decoded, event, revenue, campaign] }

  private static let text = JSONForm.text.orNull
  private static let amount = JSONForm.number.orNull
  private static let count = JSONForm.integer.orNull

  static let record = SchemaObject(
    "received postback", keys: ReceivedRecord.keys.names,
    required: ["received_at", "signature", "repetition", "body"],
    [
      "received_at": .string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T"), "source_address": text,
      "signature": .names(ReceivedSignature.Verdict.allCases.map(\.rawValue)),
      "key": JSONForm.names(ReceivedSignature.Key.allCases.map(\.rawValue)).orNull, "why": text,
      "repetition": .names(Repetition.allCases.map(\.rawValue)), "findings": .list(finding.form),
      "decoded": decoded.form.orNull, "campaign": campaign.form.orNull, "body": .text,
    ])

  /// Its code can be one of an earlier version.
  private static let finding = SchemaObject(
    "finding", keys: ReceivedRecord.findingKeys.names, required: ["code", "message"], ["code": .text, "message": .text])

  static let decoded = SchemaObject(
    "decoded value", keys: DecodedValue.keys.names, required: ["model", "window"],
    [
      "model": .text, "window": .integer(0...2), "value": text, "meaning": text, "min_hours": count, "max_hours": count,
      "events": .list(event.form), "revenue": revenue.form.orNull, "undecoded": text,
    ])

  static let event = SchemaObject(
    "decoded event", keys: DecodedEvent.keys.names, required: ["event"],
    [
      "event": .text, "currency": text, "revenue_min": amount, "revenue_below": amount, "count_min": count,
      "count_max": count,
    ])

  private static let revenue = SchemaObject(
    "revenue", keys: RevenueRange.keys.names, required: ["currency", "min"],
    ["currency": .text, "min": .number, "below": amount])

  private static let campaign = SchemaObject(
    "campaign", keys: CampaignMatch.keys.names, required: ["id"], ["id": .text, "name": text, "country": text])
}
