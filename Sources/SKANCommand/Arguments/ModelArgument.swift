/// A conversion model of `--model`: a file, for one app or for all others.
struct ModelArgument: Sendable {
  /// The bundle identifier; nil for every app that has no model of its own.
  let app: String?
  let path: String
}

extension ValueParser<ModelArgument> {
  /// `[BUNDLE_ID=]FILE`; what has a slash before the equals sign is a path.
  static var model: Self {
    Self(.file) { given in
      let parts = given.text.split(separator: "=", maxSplits: 1).map(String.init)
      return parts.count == 2 && !parts[0].contains("/")
        ? ModelArgument(app: parts[0], path: parts[1]) : ModelArgument(app: nil, path: given.text)
    }
  }
}
