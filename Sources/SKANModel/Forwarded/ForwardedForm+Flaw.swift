import SKANDevice
import SKANBase

extension ForwardedForm {
  /// What is wrong with a value, decoded; nil when it has this form.
  package func flaw(of value: String) -> ForwardedFlaw? {
    if value.isEmpty { return .empty }
    if value.standsForNothing { return .placeholder }
    switch self {
    case .text, .details: return nil
    case .seconds: return Self.time(value, digits: 10, other: .milliseconds)
    case .milliseconds: return Self.time(value, digits: 13, other: .seconds)
    case .uuid: return value.isUUID ? (value.utf8.allSatisfy { $0 == 0x30 || $0 == 0x2D } ? .zeroUUID : nil) : .notAUUID
    case .decimal:
      return value.isDecimal ? nil : value.replacing(",", with: ".").isDecimal ? .decimalComma : .notADecimal
    case .currency: return value.isCurrencyCode ? nil : .notACurrency
    case .truth: return value == "true" || value == "false" ? nil : .notATruthValue
    case .whole(let range): return Int64(value).map(range.contains) == true ? nil : .notWhole(range)
    case .choice(let choices): return choices.contains(where: value.isLiterally) ? nil : .notAChoice(choices)
    case .json: return JSONTextDamage(value).map(ForwardedFlaw.json)
    case .address: return InternetAddress(value).map(\.flaw) ?? .notAnAddress
    case .country: return value.utf8.count == 2 && value.utf8.allSatisfy(\.isASCIICapital) ? nil : .notACountry
    case .locale: return value.isLocale ? nil : .notALocale
    case .eventName:
      if value.count > 32 { return .longName(value.count) }
      return value.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? nil : .notASCII
    }
  }

  private static func time(_ value: String, digits: Int, other: ForwardedFlaw) -> ForwardedFlaw? {
    guard value.utf8.allSatisfy(\.isASCIIDigit) else { return .notATime }
    let otherDigits = digits == 10 ? 13 : 10
    return value.utf8.count == digits ? nil : value.utf8.count == otherDigits ? other : .notATime
  }
}

extension InternetAddress {
  /// Why it is not the address to send.
  fileprivate var flaw: ForwardedFlaw? { isPublic ? (isIPv6 ? .ipv6 : nil) : .privateAddress }
}

extension String {
  /// Whether it is a plain decimal number: a sign, digits, and perhaps a point with more.
  fileprivate var isDecimal: Bool {
    let parts = (hasPrefix("-") ? dropFirst() : self[...]).split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
  }

  /// `en_US`; the language has two or three letters, and a script may stand between: `zh_Hans_CN`.
  fileprivate var isLocale: Bool {
    let parts = split(separator: "_", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let language = parts.first?.utf8, let country = parts.last?.utf8 else {
      return false
    }
    return (2...3).contains(language.count) && language.allSatisfy { $0.isASCIILetter && !$0.isASCIICapital }
      && country.count == 2 && country.allSatisfy(\.isASCIICapital)
      && (parts.count == 2 || parts[1].utf8.count == 4 && parts[1].utf8.allSatisfy(\.isASCIILetter))
  }
}
