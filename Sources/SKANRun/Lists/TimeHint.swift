import SKANDevice

/// A hint for a text that is not a time.
package enum TimeHint {
  /// To be put behind a message; empty when nothing comes to mind.
  package static func message(_ text: String) -> String {
    if let number = Double(text) { return message(number) }
    // A date alone is one at midnight.
    for suffix in ["Z", ":00Z", "T00:00:00Z"] where Instant(iso8601: text + suffix) != nil {
      return "; a time zone is missing: \(text)\(suffix) is UTC"
    }
    let joined = text.replacing(" ", with: "T", maxReplacements: 1)
    for suffix in ["", "Z"] where Instant(iso8601: joined + suffix) != nil {
      return "; did you mean \(joined)\(suffix)?"
    }
    return ""
  }

  package static func message(_ number: Double) -> String {
    guard number >= 1e12, number < 1e15, Instant(unixSeconds: number) == nil else { return "" }
    return "; are these milliseconds? In seconds it is \((number / 1000).jsonText)"
  }
}
