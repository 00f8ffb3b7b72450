import SKANRun

/// Who answers an update.
extension OptionRow {
  static let endpoint = Option<Endpoint>(
    "endpoint", "WHERE", .endpoint, default: "embedded",
    "embedded (default: no network), testing, production, or an http(s) URL")
  static let model = Option<[ModelArgument]>(
    "model", "[BUNDLE_ID=]FILE", each: .model,
    "let this conversion model answer instead of the embedded test endpoint")
  static let rates = Option<String?>(
    "rates", "FILE", .file, "exchange rates for the model: {\"EUR\":0.92} per US dollar")
  /// The model's event and ours, each of the model's once.
  static let eventAlias = Option<[EventAliases.Pair]>(
    "event-alias", "FROM=TO", .pair, folding: [],
    "the model's event FROM is our event TO, as in session_start=__SESSION__ (repeatable)", hasVariable: false,
    isOncePerName: true
  ) { (pairs, given) throws(CommandError) in
    guard let (from, to) = EventAliases.file.pair(given.text), !to.isEmpty else {
      throw given.mustBe(EventAliases.file.form)
    }
    pairs.append(EventAliases.Pair(from: from, to: to))
  }
  static let eventAliasesFile = Option<String?>(
    "event-aliases-file", "FILE", .file, "the same from a file, one FROM=TO a line")
  /// In seconds.
  static let maxTime = Option<Double>(
    "max-time", "DURATION", .positiveSeconds, default: "10s", "the longest that an exchange may take (default 10s)")
  /// In bytes.
  static let maxAnswer = Option<Int>(
    "max-answer", "SIZE", .size, default: "1MiB",
    "the most that an answer may hold, unpacked, such as 64KiB (default 1MiB)")
  static let sdkKeyFile = Option<String?>("sdk-key-file", "FILE", .file, "read the SDK key from a file (- for stdin)")
}
