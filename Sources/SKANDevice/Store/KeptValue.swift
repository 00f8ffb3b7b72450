import SKANBase
import SKANSystem

/// A value that an answer can leave in the app's store: an `NSNumber` of one of three kinds, or an `NSString` that the
/// snippet mistakes for one; see the article "Answers".
public enum KeptValue: Sendable, Equatable {
  case integer(Int64)
  /// An integer above `Int64.max`, for which `NSNumber` is unsigned.
  case unsigned(UInt64)
  case double(Double)
  case bool(Bool)
  case string(String)

  var isString: Bool { if case .string = self { true } else { false } }

  /// `intValue`: integers lose their upper 32 bits, fractions are truncated, strings are parsed up to the first invalid
  /// character.
  public var int32: Int32 {
    switch self {
    case .integer(let number): Int32(truncatingIfNeeded: number)
    case .unsigned(let number): Int32(truncatingIfNeeded: number)
    case .double(let number): Int32(exactly: number.rounded(.towardZero)) ?? .min
    case .bool(let flag): flag ? 1 : 0
    case .string(let text): Int32(clamping: text.leadingInteger)
    }
  }

  /// `integerValue`, which Apple's framework receives.
  public var int64: Int64 {
    switch self {
    case .integer(let number): number
    case .unsigned(let number): Int64(truncatingIfNeeded: number)
    case .double(let number): Int64(exactly: number.rounded(.towardZero)) ?? .min
    case .bool(let flag): flag ? 1 : 0
    case .string(let text): text.leadingInteger
    }
  }

  /// `stringValue`; nil for a string, which has no such method and crashes the app.
  public var decimalText: String? {
    isString ? nil : String(writing: { $0.append(decimal: self) })
  }
}

extension ByteText {
  /// Adds the ``KeptValue/decimalText`` of a value; nothing for a string.
  mutating func append(decimal value: KeptValue) {
    switch value {
    case .integer(let number): append(number)
    case .unsigned(let number): append(number)
    case .double(let number): append(number, significant: 16)
    case .bool(let flag): append(UInt8(ascii: flag ? "1" : "0"))
    case .string: break
    }
  }
}

extension String {
  /// Parses white space, an optional sign and digits; clamped to 64 bits, 0 without digits.
  var leadingInteger: Int64 {
    var rest = utf8.drop(while: \.isASCIISpace)
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    var value: Int64 = 0
    for byte in rest {
      guard byte.isASCIIDigit else { break }
      let digit = Int64(byte - 0x30)
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) =
        isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
      if overflow || carry { return isNegative ? .min : .max }
      value = sum
    }
    return value
  }

  /// `boolValue`: white space, an optional sign, zeros, then one of `YyTt1`–`9`.
  var isTruthy: Bool {
    var rest = utf8.drop(while: \.isASCIISpace)
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    rest = rest.drop { $0 == UInt8(ascii: "0") }
    return rest.first.map { "YyTt123456789".utf8.contains($0) } ?? false
  }
}

extension UInt8 {
  fileprivate var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension KeptValue: JSONWritable {
  /// The value of a JSON text; nil for null, arrays and objects.
  package init?(_ content: JSONNode.Content) {
    switch content {
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .unsigned(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .null, .array, .object: return nil
    }
  }

  package static var jsonForm: JSONForm { .anyOf([.number, .text, .bool]) }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .integer(let number): writer.append(number)
    case .unsigned(let number): writer.append(number)
    case .double(let number): writer.append(number)
    case .bool(let flag): writer.append(flag)
    case .string(let text): writer.append(text)
    }
  }
}
