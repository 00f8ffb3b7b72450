import SKANModel

/// Takes the keys and tokens of requests out of texts about them.
enum TrafficSecrets {
  /// Of a request with more of them no text is shown: each is looked for in each text, and 1 MiB has room for 100,000.
  static let most = 100

  /// A text without secrets, in whatever spelling they stand there.
  static func text(_ text: String, without secrets: [String]) -> String {
    if secrets.count > most { return SecretParameter.mark }
    return secrets.reduce(text) { Redactor(key: $1).redacted($0) }
  }
}
