import SKANDevice
import SKANRun

extension ValueParser<TimeSpan> {
  private static var expected: String { "a duration with a unit of ms, s, m, h or d, such as 500ms or 2d3h" }

  /// A length of time with units.
  static var duration: Self {
    Self(.duration) { (given) throws(CommandError) in
      guard let span = TimeSpan(text: given.text) else { throw given.mustBe(expected) }
      return span
    }
  }

  /// The same, or a number of seconds, as event lists have it.
  static var durationOrSeconds: Self {
    Self(.duration) { (given) throws(CommandError) in
      let seconds = plainNumber(given.text).flatMap { TimeSpan(seconds: $0) }
      guard let span = seconds ?? TimeSpan(text: given.text) else { throw given.mustBe("seconds, or \(expected)") }
      return span
    }
  }
}

extension ValueParser<Double> {
  /// A length of time with units, in seconds.
  static var seconds: Self { ValueParser<TimeSpan>.duration.map(\.seconds) }

  /// The same, longer than nothing.
  static var positiveSeconds: Self {
    Self(.duration) { (given) throws(CommandError) in
      let seconds = try seconds.parse(given)
      guard seconds > 0 else { throw given.mustBe("longer than 0") }
      return seconds
    }
  }
}

extension ValueParser<Instant> {
  /// A point in time of what really happened.
  static var instant: Self {
    Self(.time) { (given) throws(CommandError) in
      guard let instant = plainNumber(given.text).flatMap({ Instant(unixSeconds: $0) }) ?? Instant(iso8601: given.text)
      else {
        throw given.mustBe(
          "an ISO 8601 instant (2026-01-03T00:00:00Z) or Unix seconds", hint: TimeHint.message(given.text))
      }
      return instant
    }
  }
}

extension ValueParser<TimeSpec> {
  /// The time of a step.
  static var time: Self {
    Self(.time, values: ["now"]) { (given) throws(CommandError) in
      let text = given.text
      if text == "now" { return .now }
      if let instant = plainNumber(text).flatMap({ Instant(unixSeconds: $0) }) { return .at(instant) }
      guard !text.hasPrefix("-"), let time = TimeSpec(at: text) else {
        throw given.mustBe(
          "an ISO 8601 instant (2026-01-03T00:00:00Z), Unix seconds, a duration with units (+2d3h), or now",
          hint: TimeHint.message(text))
      }
      return time
    }
  }
}

/// A number of digits and a point, without sign or exponent.
private func plainNumber(_ text: String) -> Double? {
  text.utf8.allSatisfy { "0123456789.".utf8.contains($0) } ? Double(text) : nil
}
