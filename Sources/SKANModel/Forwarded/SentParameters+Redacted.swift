import SKANDevice
import SKANBase

/// The parameters without their secrets (``SecretParameter``), for a journal.
extension SentParameters {
  /// As an object of decoded values, in the order of the names; of a name that is given twice the last counts.
  package var redactedJSON: JSON {
    let values = Dictionary(items.map { (SecretParameter.redacted(text: $0.name), $0.redactedValue) }) { $1 }
    return .object(
      values.sorted { $0.key.literallyPrecedes($1.key) }.map { ($0.key, .optional($0.value)) })
  }
}

extension SentParameters.Item {
  fileprivate var redactedValue: String? {
    value.map { SecretParameter.isSecret(name) ? SecretParameter.mark : SecretParameter.redacted(text: $0) }
  }
}
