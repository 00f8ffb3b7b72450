import SKANDevice

extension TimeSpan {
  /// Rounded to what a reader wants to know: from a day on to hours, from an hour on to minutes, and so on.
  package var displayText: String {
    let size = microseconds.magnitude
    let grain: UInt64 =
      switch size {
      case (100 * Self.day)...: Self.day
      case Self.day...: 3_600_000_000
      case 3_600_000_000...: 60_000_000
      case 10_000_000...: 1_000_000
      default: 1000
      }
    let rounded = (size + grain / 2) / grain * grain
    let text = TimeSpan(microseconds: Int64(clamping: rounded)).description
    return microseconds < 0 && rounded > 0 ? "-\(text)" : text
  }

  /// The same with its sign, as command lines have it: `+1d8h`.
  package var signedText: String {
    let displayText = displayText
    return displayText.hasPrefix("-") ? displayText : "+\(displayText)"
  }

  private static let day: UInt64 = 86_400_000_000
}
