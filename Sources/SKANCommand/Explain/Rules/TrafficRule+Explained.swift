import SKANTraffic

extension TrafficRule: ExplainedCode {
  static var kind: CodeKind { .check }

  var code: String { rawValue }

  var roleText: String { "rule of skan check, \(level.rawValue), rests on: \(basis.rawValue)" }

  var explanation: CodeExplanation {
    CodeExplanation(
      phone: text, cause: cause, code: guideCode,
      command: "skan check fixtures/traffic/rules/\(rawValue).\(fixtureForm)",
      remedy: remedy, articles: article == "CheckingTraffic" ? [article] : [article, "CheckingTraffic"])
  }

  /// What the fixture that breaks this rule is written in: where a query's bytes matter, a list of addresses.
  private var fixtureForm: String {
    switch self {
    case .parameterRepeated, .parametersUnreadable, .plainHTTP, .plusInName: "txt"
    default: "ndjson"
    }
  }
}
