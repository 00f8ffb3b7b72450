import SKANJSON

/// Where a command writes; the SDK key never gets past it, whoever put it into a text.
struct Output: Sendable {
  let environment: Environment
  let isQuiet: Bool
  /// Forms in which the key could show up.
  private let secrets: [String]

  init(_ environment: Environment, isQuiet: Bool, sdkKey: String?) {
    self.environment = environment
    self.isQuiet = isQuiet
    guard let key = sdkKey, !key.isEmpty else {
      secrets = []
      return
    }
    let encoded = [QueryText.encoded(key), String(JSONWriter.quoted(key).dropFirst().dropLast())]
    secrets = ([key] + encoded).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      .sorted { $0.count > $1.count }
  }

  /// A line of results, unless `--quiet`.
  func result(_ line: String) throws(CommandError) {
    if !isQuiet { try always(line) }
  }

  /// A line of results that is printed also with `--quiet`.
  func always(_ line: String) throws(CommandError) { try environment.writeOutput(redacted(line) + "\n") }

  /// A remark on stderr, unless `--quiet`.
  func note(_ line: String) { if !isQuiet { error(line) } }

  /// A line on stderr.
  func error(_ line: String) { environment.writeError(redacted(line) + "\n") }

  private func redacted(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: "REDACTED") }
  }
}
