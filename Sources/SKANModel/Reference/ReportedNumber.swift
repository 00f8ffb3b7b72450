/// A parameter that should be a whole number.
enum ReportedNumber {
  case number(Int64)
  case text(String)

  /// The number, if it is a whole one.
  @inline(__always)
  var value: Int64? {
    switch self {
    case .number(let number): number
    case .text(let text): Int64(text)
    }
  }

  var text: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  var isEmpty: Bool { if case .text(let text) = self { text.isEmpty } else { false } }
}
