import SKANDevice
import SKANBase

extension StepReader {
  /// When a step runs; nil when it does not say.
  func time(from reader: inout JSONObjectReader) -> TimeSpec? {
    var time: TimeSpec?
    if reader.has(at: .at) {
      if let seconds = reader.integerIfAny(at: StepKey.at.rawValue) {
        time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      } else if let seconds = reader.numberIfAny(at: StepKey.at.rawValue) {
        time = Instant(unixSeconds: seconds).map(TimeSpec.at)
      } else if case .string(let text)? = reader.node(at: .at)?.content {
        time = TimeSpec(at: text)
      }
      if time == nil {
        let hint =
          switch reader.node(at: .at)?.content {
          case .string(let text)?: TimeHint.message(text)
          default: reader.numberIfAny(at: StepKey.at.rawValue).map { TimeHint.message($0) } ?? ""
          }
        reader.complain(
          at: .at,
          expected: "Unix seconds, an ISO 8601 instant such as \"2026-01-03T00:00:00Z\", or \"+2d3h\"", hint: hint)
      }
    }
    if reader.has(at: .after) {
      if reader.has(at: .at) {
        reader.complain("a step has \"at\" or \"after\", not both", about: "after")
      }
      if let span = reader.span(at: .after) {
        time = time ?? .after(span)
      } else {
        reader.complain(
          at: .after, expected: "seconds, 0 or more, or a duration such as \"2d3h\" (units ms s m h d)")
      }
    }
    return time
  }
}

extension JSONObjectReader {
  /// Seconds as a number, or a duration with units.
  func span(at key: StepKey) -> TimeSpan? {
    if let seconds = numberIfAny(at: key.rawValue) { return seconds >= 0 ? TimeSpan(seconds: seconds) : nil }
    if case .string(let text)? = node(at: key)?.content { return TimeSpan(text: text) }
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
