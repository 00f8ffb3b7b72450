/// Takes the secrets of requests out of what is said about them.
enum TrafficSecrets {
  /// A text without secrets, in whatever spelling they stand there.
  static func text(_ text: String, without secrets: [String]) -> String {
    secrets.reduce(text) { Redactor(key: $1).redacted($0) }
  }
}
