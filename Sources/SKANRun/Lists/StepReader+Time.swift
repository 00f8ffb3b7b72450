import SKANDevice
import SKANJSON

extension StepReader {
  /// When a step runs; nil when it does not say.
  func time(from reader: inout JSONObjectReader) -> TimeSpec? {
    var time: TimeSpec?
    if reader.has(at: StepKey.at) {
      if let seconds = reader.integerIfAny(at: StepKey.at) {
        time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      } else if let seconds = reader.numberIfAny(at: StepKey.at) {
        time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      } else if case .string(let text)? = reader.node(at: StepKey.at)?.content {
        time = TimeSpec(at: text)
      }
      if time == nil {
        let hint =
          switch reader.node(at: StepKey.at)?.content {
          case .string(let text)?: TimeHint.words(text)
          default: reader.numberIfAny(at: StepKey.at).map { TimeHint.words($0) } ?? ""
          }
        reader.complain(
          at: StepKey.at,
          expected: "Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\"", hint: hint)
      }
    }
    if reader.has(at: StepKey.after) {
      if reader.has(at: StepKey.at) {
        reader.complain("a step has \"at\" or \"after\", not both", about: "after")
      }
      if let span = span(at: StepKey.after, of: reader) {
        time = time ?? .after(span)
      } else {
        reader.complain(
          at: StepKey.after, expected: "seconds, 0 or more, or a duration such as \"2d3h\" (units ms s m h d)")
      }
    }
    return time
  }

  /// Seconds as a number, or a duration with units.
  func span(at place: Int, of reader: JSONObjectReader) -> TimeSpan? {
    if let seconds = reader.numberIfAny(at: place) { return seconds >= 0 ? TimeSpan(seconds: seconds) : nil }
    if case .string(let text)? = reader.node(at: place)?.content { return TimeSpan(text: text) }
    return nil
  }
}

extension TimeSpec {
  /// `+DURATION` or an ISO 8601 instant.
  package init?(at text: String) {
    if text.hasPrefix("+") {
      guard let span = TimeSpan(text: String(text.dropFirst())) else { return nil }
      self = .sinceFirst(span)
    } else {
      guard let instant = Instant(iso8601: text) else { return nil }
      self = .at(instant)
    }
  }
}
