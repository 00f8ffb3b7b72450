import SKANBase

/// The number by which the App Store and every postback name an app.
package struct AppStoreID: Hashable, Sendable {
  /// Digits, without zeros in front.
  package let text: String

  /// Of the app of Apple's published examples.
  package static let sample = AppStoreID(digits: "525463029")

  private init(digits: String) { text = digits }

  /// - Returns: nil for what is not a number, with or without the `id` of the App Store's addresses.
  package init?(_ text: String) {
    let digits = text.hasPrefix("id") ? text.dropFirst(2) : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    let number = digits.drop { $0 == "0" }
    self.init(digits: number.isEmpty ? "0" : String(number))
  }
}
