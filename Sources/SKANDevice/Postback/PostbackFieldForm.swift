import SKANBase

/// The form of a field's value in a postback of either framework, in the words of every message about it.
enum PostbackFieldForm: Sendable {
  /// Text with one of these values.
  case choice([String])
  /// A whole number in this range.
  case number(ClosedRange<Int64>)
  case boolean
  case uuid(example: String)
  /// The id of an ad network. Apple's are in lower case.
  case network(example: String)
  /// A bundle id.
  case bundle(example: String)
  case domain
  /// Two to four digits.
  case identifier
  /// A country of ISO 3166-1 in two capital letters.
  case country
  case base64

  /// The form that a value lacks, to follow "must be"; nil if the value has it.
  func expected(insteadOf value: JSON) -> String? {
    if takes(value) { return nil }
    // Two capital letters that no country has would otherwise read as a mistake of the checker.
    if case .country = self, let text = value.text, text.isTwoCapitals { return "the code of a country such as \"US\"" }
    return text
  }

  /// The form in words.
  var text: String {
    switch self {
    case .choice(let names) where names.count == 1: "\"\(names[0])\""
    case .choice(let names): "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .boolean: "true or false"
    case .uuid(let example): "a UUID such as \"\(example)\""
    case .network(let example): "an ad network id in lower case such as \"\(example)\""
    case .bundle(let example): "a bundle id such as \"\(example)\""
    case .domain: "a domain such as \"example.com\""
    case .identifier: "a string of two to four digits"
    case .country: "two capital letters such as \"US\""
    case .base64: "base64"
    }
  }

  private func takes(_ value: JSON) -> Bool {
    switch (self, value) {
    case (.choice(let names), .string(let text)): names.contains(text)
    case (.number(let range), .integer(let number)): range ~= number
    case (.boolean, .bool): true
    case (.uuid, .string(let text)): text.isUUID
    case (.network, .string(let text)): text.isPlain && text.lowercased() == text
    case (.bundle, .string(let text)): text.isPlain
    case (.domain, .string(let text)): text.isPlain && text.contains(".")
    case (.identifier, .string(let text)): 2...4 ~= text.utf8.count && text.utf8.allSatisfy(\.isASCIIDigit)
    case (.country, .string(let text)): text.isTwoCapitals && CountryCode.isAssigned(text)
    case (.base64, .string(let text)): text.isBase64
    default: false
    }
  }
}

/// The country codes of ISO 3166-1 (alpha-2), and `XK`, which stands for Kosovo: the App Store has it, and ISO leaves the
/// code to its users.
private enum CountryCode {
  /// Whether a country has the code, in capital letters.
  static func isAssigned(_ code: String) -> Bool { assigned.contains(code) }

  private static let assigned = Set(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF
    CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH
    GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW
    KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG
    NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN
    SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE
    YT ZA ZM ZW
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}

extension String {
  /// Whether the text is not empty and contains no blanks, controls or hidden characters.
  fileprivate var isPlain: Bool { !isEmpty && unicodeScalars.allSatisfy(\.isPlain) }

  fileprivate var isTwoCapitals: Bool { utf8.count == 2 && utf8.allSatisfy(\.isASCIICapital) }

  fileprivate var isBase64: Bool {
    guard !isEmpty, utf8.count % 4 == 0 else { return false }
    let padding = utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return padding <= 2 && utf8.dropLast(padding).allSatisfy(\.isBase64Digit)
  }
}

extension Unicode.Scalar {
  fileprivate var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned: false
    default: true
    }
  }
}

extension UInt8 {
  fileprivate var isBase64Digit: Bool {
    isASCIILetterOrDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
  }
}
