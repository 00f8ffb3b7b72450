import SKANBase

/// A parameter that should be a whole number.
enum ReportedNumber {
  case number(Int64)
  case text(String)

  /// The number of a text as it is written in decimal digits, or else the text.
  init(_ text: ArraySlice<UInt8>) {
    let isNumber = text.first == UInt8(ascii: "0") ? text.count == 1 : (1...18).contains(text.count)
    var number: Int64 = 0
    if isNumber {
      for digit in text {
        guard digit.isASCIIDigit else {
          self = .text(String(decoding: text, as: UTF8.self))
          return
        }
        number = number * 10 + Int64(digit - UInt8(ascii: "0"))
      }
    }
    self = isNumber ? .number(number) : .text(String(decoding: text, as: UTF8.self))
  }

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
