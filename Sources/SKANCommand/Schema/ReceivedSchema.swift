import SKANBase
import SKANModel
import SKANReceive

/// A line of the file of received postbacks: the keys that it needs to be read.
enum ReceivedSchema {
  static var form: JSONForm {
    ReceivedRecord.fields.form(
      requiring: ["received_at", "signature", "repetition", "body"],
      [
        "decoded": DecodedValue.fields.form(
          requiring: ["model", "window"],
          [
            "events": .list(DecodedEvent.fields.form(requiring: ["event"])),
            "revenue": RevenueRange.fields.form(requiring: ["currency", "min"]).orNull,
          ]
        ).orNull,
        "campaign": CampaignMatch.fields.form(requiring: ["id"]).orNull,
      ])
  }
}
