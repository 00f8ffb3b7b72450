import SKANDevice

extension TimeSpec {
  /// The key of a step and its text that stand for this time; nil for ``now``, which a list cannot say.
  var member: (key: StepKey, text: String)? {
    switch self {
    case .at(let instant): (.at, instant.description)
    case .sinceFirst(let span): (.at, "+\(span.listText)")
    case .after(let span): (.after, span.listText)
    case .now: nil
    }
  }
}

extension TimeSpan {
  /// The text that reads back as this span exactly, 0 or more: `2d3h`, or seconds where there is a fraction, since the
  /// sum of several units may round it.
  var listText: String {
    microseconds % 1_000_000 == 0 ? description : "\(decimal(digits: 6))s"
  }
}
