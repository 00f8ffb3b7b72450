import SKANBase
import SKANDevice

/// A value of `--model`: the file of a conversion model, for one app or for all others, optionally from a date on.
package struct ModelArgument: Sendable {
  /// The bundle identifier or the App Store id; nil for every app that has no model of its own.
  package let app: String?
  /// The instant from which the model is valid; nil for the beginning.
  package let from: Instant?
  package let path: String
}

extension ValueParser<ModelArgument> {
  /// `[APP=][from=DATE:]FILE`. A text with a slash before the equals sign is a path.
  package static var model: Self {
    let file = FileUse(kind: .input) { (given) throws(CommandError) in
      try given.invocation.modelPath(argument(given).path).path
    }
    return Self(.file, file: file) { (given) throws(CommandError) in try argument(given) }
  }

  private static func argument(_ given: GivenText) throws(CommandError) -> ModelArgument {
    var (app, rest) = (String?.none, given.text)
    let parts = rest.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[0] != "from", !parts[0].contains("/") { (app, rest) = (parts[0], parts[1]) }
    for key in [app, rest.split(separator: "=", maxSplits: 1).first.map(String.init)].compactMap(\.self)
    where key != "from" && rest != key && nearestName(to: key, in: ["from"]) != nil {
      throw given.mustBe("[APP=][from=DATE:]FILE", hint: "; did you mean from=?")
    }
    guard rest.hasPrefix("from=") else { return ModelArgument(app: app, from: nil, path: given.path(rest)) }
    guard let (from, path) = dated(rest.dropFirst("from=".count)) else {
      throw given.mustBe(
        "[APP=]from=DATE:FILE, with a date of UTC such as 2026-05-01 or an instant such as 2026-05-01T09:00:00Z")
    }
    return ModelArgument(app: app, from: from, path: given.path(path))
  }

  /// `DATE:FILE`, split after the longest possible date, since instants contain colons too.
  private static func dated(_ text: Substring) -> (Instant, path: String)? {
    for colon in text.indices.reversed() where text[colon] == ":" && text.index(after: colon) < text.endIndex {
      let date = String(text[..<colon])
      if let from = Instant(iso8601: date) ?? Instant(iso8601: "\(date)T00:00:00Z") {
        return (from, String(text[text.index(after: colon)...]))
      }
    }
    return nil
  }
}

extension Invocation {
  /// A path split from its `#APP_ID`, if it has one. A file whose name contains `#` takes precedence.
  package func modelPath(_ path: String) throws(CommandError) -> (path: String, app: String?) {
    guard let mark = path.lastIndex(of: "#"), try environment.files.read(path) == nil else { return (path, nil) }
    return (String(path[..<mark]), String(path[path.index(after: mark)...]))
  }
}
