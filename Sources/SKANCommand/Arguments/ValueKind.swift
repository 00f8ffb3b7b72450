/// What an option's value is, as `skan help --json` names it and as a shell completes it.
enum ValueKind: String, CaseIterable, Sendable {
  /// Given or not; it takes no value.
  case flag
  case text
  /// One of the row's values.
  case choice
  case integer
  case number
  /// A length of time with units: `2d3h`, `500ms`.
  case duration
  /// A moment: ISO 8601, Unix seconds, a duration with a sign, or `now`.
  case time
  /// A number of bytes: `64KiB`.
  case size
  case version
  case file
  case directory
  case url
  /// A JSON text, or `@FILE`.
  case json
  /// A name, an equals sign and a value.
  case pair
  /// A pattern with `*` and `?`.
  case pattern
}
