import SKANBase
import SKANModel

/// Removes the keys and tokens of requests from texts about them.
package enum TrafficSecrets {
  /// The maximum number of secrets of a request. With more, no text of the request is shown: each secret is searched
  /// for in each text, and 1 MiB has room for 100,000.
  package static let most = 100

  /// A text without secrets, in whatever encoding they appear.
  package static func text(_ text: String, without secrets: [String]) -> String {
    if secrets.count > most { return SecretParameter.mark }
    return secrets.isEmpty ? text : secrets.reduce(text) { Redactor(key: $1).redacted($0) }
  }
}

extension CapturedRequest {
  /// A text about the request without its secrets.
  func withoutSecrets(_ text: String) -> String { TrafficSecrets.text(text, without: secrets) }
}
