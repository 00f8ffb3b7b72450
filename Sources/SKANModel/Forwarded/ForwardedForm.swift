/// What the value of a forwarded parameter looks like.
package enum ForwardedForm: Sendable, Equatable {
  /// Any text that is not empty.
  case text
  /// Unix seconds: ten digits.
  case seconds
  /// Unix milliseconds: thirteen digits.
  case milliseconds
  /// A UUID that is not all zeros.
  case uuid
  /// A decimal number with a point.
  case decimal
  /// An ISO 4217 code in capitals.
  case currency
  /// `true` or `false`.
  case truth
  /// A whole number of a range.
  case whole(ClosedRange<Int64>)
  /// One of some texts.
  case choice([String])
  /// The text of a JSON object.
  case json
  /// A public IP address of the device.
  case address
  /// An ISO 3166-1 alpha-2 code in capitals.
  case country
  /// `ll_CC`.
  case locale
  /// At most 32 printable ASCII characters.
  case eventName
  /// An entry of `getSkanDetails`, which ``RequestCheck`` knows.
  case details
}
