import SKANBase

/// What is wrong with the form of a parameter's value.
package enum ForwardedFlaw: Sendable, Equatable {
  case empty
  /// `null`, `(null)`, `nil`, `None`, `undefined`.
  case placeholder
  /// Milliseconds where seconds belong.
  case milliseconds
  /// Seconds where milliseconds belong.
  case seconds
  /// No time: neither ten nor thirteen digits.
  case notATime
  case notAUUID
  /// `00000000-0000-0000-0000-000000000000`: leave the parameter out.
  case zeroUUID
  /// `9,99`.
  case decimalComma
  case notADecimal
  case notACurrency
  case notATruthValue
  case notWhole(ClosedRange<Int64>)
  case notAChoice([String])
  case json(JSONTextDamage)
  case notAnAddress
  /// An address that no device on the Internet has: private, of this machine, or of a link.
  case privateAddress
  /// An IPv6 address; of Singular's pages one refuses it, one prefers IPv4, one takes both.
  case ipv6
  case notACountry
  case notALocale
  /// Longer than 32 characters.
  case longName(Int)
  case notASCII

  /// What the value has to be and is, behind the parameter's name.
  package func message(_ value: String) -> String {
    let given = "it is \(JSONWriter.quoted(value.count <= 60 ? value : value.truncated(to: 59)))"
    return switch self {
    case .empty: "is empty"
    case .placeholder: "stands for nothing, \(given): leave it out"
    case .milliseconds: "must be Unix seconds, ten digits, \(given): these are milliseconds"
    case .seconds: "must be Unix milliseconds, thirteen digits, \(given): these are seconds"
    case .notATime: "must be a Unix time, \(given)"
    case .notAUUID: "must be a UUID, \(given)"
    case .zeroUUID: "is all zeros: leave it out when there is none"
    case .decimalComma: "must have a decimal point, \(given)"
    case .notADecimal: "must be a decimal number, \(given)"
    case .notACurrency: "must be an ISO 4217 code in capitals, \(given)"
    case .notATruthValue: "must be true or false in small letters, \(given)"
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
