import SKANDevice
import SKANBase

/// A conversion model of `--model`: a file, for one app or for all others, perhaps from some day on.
struct ModelArgument: Sendable {
  /// The bundle identifier, or the App Store id; nil for every app that has no model of its own.
  let app: String?
  /// Since when it is valid; nil = from the beginning.
  let from: Instant?
  let path: String
}

extension ValueParser<ModelArgument> {
  /// `[APP=][from=DATE:]FILE`; what has a slash before the equals sign is a path.
  static var model: Self {
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

  /// `DATE:FILE`, the date as long as it can be: instants have colons, too.
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
