import SKANBase
import SKANDevice

/// The form of a parameter's value.
package enum ParameterForm: Sendable, Equatable {
  /// Any non-empty text.
  case text
  /// Unix seconds: ten digits.
  case seconds
  /// Unix milliseconds: thirteen digits.
  case milliseconds
  /// A UUID that is not all zeros.
  case uuid
  /// A decimal number, with or without a point.
  case decimal
  /// An ISO 4217 code in capitals.
  case currency
  /// `true` or `false`.
  case truth
  /// An integer in a range.
  case whole(ClosedRange<Int64>)
  /// One of several texts.
  case choice([String])
  /// The text of a JSON object.
  case json
  /// A public IP address of the device.
  case address
  /// An ISO 3166-1 alpha-2 code in capitals.
  case country
  /// A locale such as `en_US`.
  case locale
  /// At most 32 printable ASCII characters.
  case eventName
  /// An entry of the phone's store, checked by ``RequestCheck``.
  case details
  /// Revenue by currency as JSON text. ``RequestCheck`` checks the text, and this form the codes.
  case revenue
}

extension ParameterForm {
  /// The problem with a decoded value; nil if it has this form.
  package func flaw(of value: String) -> ParameterFlaw? {
    if value.isEmpty { return .empty }
    if value.standsForNothing { return .placeholder }
    if value.isGuidePlaceholder { return .guidePlaceholder }
    switch self {
    case .text, .details: return nil
    case .revenue: return RevenueTable.currencyNotInCapitals(value).map(ParameterFlaw.currencyOfTotal)
    case .seconds: return Self.time(value, digits: 10, other: .milliseconds)
    case .milliseconds: return Self.time(value, digits: 13, other: .seconds)
    case .uuid: return value.isUUID ? (value.utf8.allSatisfy { $0 == 0x30 || $0 == 0x2D } ? .zeroUUID : nil) : .notAUUID
    case .decimal:
      return value.isDecimal ? nil : value.replacing(",", with: ".").isDecimal ? .decimalComma : .notADecimal
    case .currency: return value.isCurrencyCode ? nil : .notACurrency
    case .truth: return value == "true" || value == "false" ? nil : .notATruthValue
    case .whole(let range): return Int64(value).map(range.contains) == true ? nil : .notWhole(range)
    case .choice(let choices): return choices.contains(where: value.isLiterally) ? nil : .notAChoice(choices)
    case .json: return JSONTextDamage(value).map(ParameterFlaw.json)
    case .address: return InternetAddress(value).map(\.flaw) ?? .notAnAddress
    case .country: return value.utf8.count == 2 && value.utf8.allSatisfy(\.isASCIICapital) ? nil : .notACountry
    case .locale: return value.isLocale ? nil : .notALocale
    case .eventName:
      if value.count > 32 { return .longName(value.count) }
      return value.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? nil : .notASCII
    }
  }

  /// The flaws that ``flaw(of:)`` finds, each once, with any text that it holds.
  package var flaws: [ParameterFlaw] {
    let own: [ParameterFlaw] =
      switch self {
      case .text, .details: []
      case .seconds: [.notATime, .milliseconds]
      case .milliseconds: [.notATime, .seconds]
      case .uuid: [.notAUUID, .zeroUUID]
      case .decimal: [.notADecimal, .decimalComma]
      case .currency: [.notACurrency]
      case .truth: [.notATruthValue]
      case .whole(let range): [.notWhole(range)]
      case .choice(let choices): [.notAChoice(choices)]
      case .json: [.json(.notAnObject)]
      case .address: [.notAnAddress, .privateAddress, .ipv6]
      case .country: [.notACountry]
      case .locale: [.notALocale]
      case .eventName: [.longName(33), .notASCII]
      case .revenue: [.currencyOfTotal("usd")]
      }
    return [.empty, .placeholder, .guidePlaceholder] + own
  }

  private static func time(_ value: String, digits: Int, other: ParameterFlaw) -> ParameterFlaw? {
    guard value.utf8.allSatisfy(\.isASCIIDigit) else { return .notATime }
    let otherDigits = digits == 10 ? 13 : 10
    return value.utf8.count == digits ? nil : value.utf8.count == otherDigits ? other : .notATime
  }
}

extension String {
  /// The placeholders in the samples of Singular's guides: Objective-C for SKAN 4, Objective-C for SKAN 3, and the
  /// requests in Python, curl, HTTP and Java.
  package static let guidePlaceholders = [
    "YOUR API KEY", "YOUR BUNDLE IDENTIFIER", "YOUR APP VERSION", "IDFV", "IDFA", "YOUR_SDK_KEY", "YOUR_APP_VERSION",
    "YOUR_IDFV", "YOUR_IDFA", "sdk_key_here",
  ]

  /// Whether the text is one of ``guidePlaceholders``, in any case and with any separators between the words.
  fileprivate var isGuidePlaceholder: Bool {
    // The longest has 22 bytes. Most values differ from all in their first letter.
    guard let first = utf8.first, utf8.count <= 24, "yis".utf8.contains(first | 0x20) else { return false }
    return Self.placeholderWords.contains(lettersOnly)
  }

  private static let placeholderWords = Set(guidePlaceholders.map(\.lettersOnly))

  private var lettersOnly: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension RevenueTable {
  /// The first currency in JSON text that is not an ISO 4217 code in capitals; nil without one, and for another text.
  fileprivate static func currencyNotInCapitals(_ text: String) -> String? {
    guard case .object(let members)? = (try? JSONReader.read(Array(text.utf8)))?.content else { return nil }
    return members.first { !$0.key.isCurrencyCode }?.key
  }
}

extension InternetAddress {
  /// Why the address must not be sent; nil if it may.
  fileprivate var flaw: ParameterFlaw? { isPublic ? (isIPv6 ? .ipv6 : nil) : .privateAddress }
}

extension String {
  /// Whether the text is a plain decimal number: an optional sign, digits, and optionally a point with more digits.
  fileprivate var isDecimal: Bool {
    let parts = (hasPrefix("-") ? dropFirst() : self[...]).split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
  }

  /// Whether the text is a locale such as `en_US`. The language has two or three letters, and a script may follow it:
  /// `zh_Hans_CN`.
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

/// The problem with the form of a parameter's value.
package enum ParameterFlaw: Sendable, Equatable {
  case empty
  /// A placeholder such as `null`, `(null)`, `nil`, `None` or `undefined`.
  case placeholder
  /// A placeholder in the samples of the guides, such as `YOUR API KEY`.
  case guidePlaceholder
  /// A currency in a table of revenue that is not an ISO 4217 code in capitals.
  case currencyOfTotal(String)
  /// Milliseconds instead of seconds.
  case milliseconds
  /// Seconds instead of milliseconds.
  case seconds
  /// Neither ten nor thirteen digits.
  case notATime
  case notAUUID
  /// `00000000-0000-0000-0000-000000000000`; the parameter should be omitted.
  case zeroUUID
  /// A decimal comma, as in `9,99`.
  case decimalComma
  case notADecimal
  case notACurrency
  case notATruthValue
  case notWhole(ClosedRange<Int64>)
  case notAChoice([String])
  case json(JSONTextDamage)
  case notAnAddress
  /// An address that no device on the Internet has: private, loopback or link-local.
  case privateAddress
  /// An IPv6 address. Of Singular's pages one refuses it, one prefers IPv4, and one accepts both.
  case ipv6
  case notACountry
  case notALocale
  /// Longer than 32 characters.
  case longName(Int)
  case notASCII

  /// The required form and the value, to follow the parameter's name.
  package func message(_ value: String) -> String {
    let given = "it is \(JSONWriter.quoted(value.count <= 60 ? value : value.truncated(to: 59)))"
    return switch self {
    case .empty: "is empty"
    case .placeholder: "means no value, \(given): leave it out"
    case .guidePlaceholder: "still has the placeholder of a guide's sample"
    case .currencyOfTotal(let code):
      "has the currency \(JSONWriter.quoted(code.truncated(to: 20))), which is not an ISO 4217 code in capitals"
    case .milliseconds: "must be Unix seconds, ten digits, \(given): these are milliseconds"
    case .seconds: "must be Unix milliseconds, thirteen digits, \(given): these are seconds"
    case .notATime: "must be a Unix time, \(given)"
    case .notAUUID: "must be a UUID, \(given)"
    case .zeroUUID: "is all zeros: leave it out when there is none"
    case .decimalComma: "must have a decimal point, \(given)"
    case .notADecimal: "must be a decimal number, \(given)"
    case .notACurrency: "must be an ISO 4217 code in capitals, \(given)"
    case .notATruthValue: "must be true or false in lower case, \(given)"
    case .notWhole(let range):
      "must be a whole number from \(range.lowerBound) to \(range.upperBound), \(given)"
    case .notAChoice(let choices): "must be \(choices.joined(separator: " or ")), \(given)"
    case .json(let damage): "must be the text of a JSON object, \(given), \(damage.message)"
    case .notAnAddress: "must be an IP address, \(given)"
    case .privateAddress: "must be the device's public address, \(given)"
    case .ipv6: "is an IPv6 address; Singular's pages prefer IPv4, and one refuses IPv6"
    case .notACountry: "must be an ISO 3166-1 code of two capitals, \(given)"
    case .notALocale: "must be language and country with an underscore such as en_US, \(given)"
    case .longName(let count): "has \(count) characters, at most 32 are allowed"
    case .notASCII: "must be printable ASCII, \(given)"
    }
  }
}

/// An IP address in text form, parsed as far as checking a device's address requires.
package struct InternetAddress: Sendable, Equatable {
  /// Whether it is an IPv6 address.
  package let isIPv6: Bool
  /// Whether a device on the Internet can have it: not private, shared, link-local or loopback.
  package let isPublic: Bool

  /// Reads an address.
  ///
  /// - Returns: nil for any other text, such as a name or a digest.
  package init?(_ text: String) {
    isIPv6 = text.contains(":")
    if isIPv6 {
      let groups = text.lowercased().split(separator: ":", omittingEmptySubsequences: false)
      guard (3...9).contains(groups.count),
        groups.allSatisfy({ $0.utf8.count <= 4 && $0.utf8.allSatisfy { $0.hexValue != nil } }),
        groups.count == 8 || text.contains("::")
      else { return nil }
      // RFC 4291 (loopback, and link-local: fe80::/10), 4193 (private: fc00::/7).
      isPublic =
        switch UInt16(groups[0], radix: 16) ?? 0 {
        case 0, 0xFC00...0xFDFF, 0xFE80...0xFEBF: false
        default: true
        }
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.count <= 3 && part.utf8.allSatisfy(\.isASCIIDigit) ? UInt8(part) : nil
    }
    guard parts.count == 4, numbers.count == 4 else { return nil }
    isPublic =
      switch (numbers[0], numbers[1]) {
      // RFC 1918, 6598 (shared by carriers), 1122 (this host), 3927 (link-local).
      case (10, _), (127, _), (0, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): false
      case (let first, _): first < 224
      }
  }
}

/// How the text of a JSON object was damaged before it was sent.
package enum JSONTextDamage: Sendable, Equatable {
  /// `[object Object]`: JavaScript's text of an object.
  case objectText
  /// A JSON string that contains the text: it was encoded twice.
  case quotedTwice
  /// `%7B…`: its percent escapes were escaped again.
  case escapedTwice
  /// `{'USD': 9.99}`: Python's text of a dictionary.
  case singleQuotes
  /// `USD`: the keys of a dictionary, which Python's `requests` sends instead of it.
  case flattened
  /// An object or an array instead of a plain value.
  case nested
  /// Any other text.
  case notAnObject

  /// Determines the damage of a decoded text.
  ///
  /// - Parameter isFlat: whether members that are objects or arrays count as damage, as in a table of revenue.
  /// - Returns: nil for the text of an object.
  package init?(_ text: String, isFlat: Bool = false) {
    switch (try? JSONReader.read(Array(text.utf8)))?.value {
    case .object(let members):
      guard isFlat, members.contains(where: { $0.value.isContainer }) else { return nil }
      self = .nested
    case .string(let inner):
      let isObject = (try? JSONReader.read(Array(inner.utf8)))?.isObject ?? false
      self = isObject ? .quotedTwice : .notAnObject
    default: self = Self.guess(text)
    }
  }

  private static func guess(_ text: String) -> JSONTextDamage {
    if text == "[object Object]" { return .objectText }
    if text.lowercased().hasPrefix("%7b") { return .escapedTwice }
    if text.hasPrefix("{'") { return .singleQuotes }
    return text.isCurrencyCode ? .flattened : .notAnObject
  }

  /// The damage and its remedy, to follow "it is".
  package var message: String {
    switch self {
    case .objectText: "JavaScript's text of an object: pass JSON.stringify of it"
    case .quotedTwice: "a JSON string that holds the object: it was encoded twice"
    case .escapedTwice: "escaped twice: the percent escapes arrive as text"
    case .singleQuotes: "Python's text of a dictionary: pass json.dumps of it"
    case .flattened: "the key of a dictionary: pass its JSON text"
    case .nested: "an object with another one or an array in it"
    case .notAnObject: "not the text of a JSON object"
    }
  }
}
