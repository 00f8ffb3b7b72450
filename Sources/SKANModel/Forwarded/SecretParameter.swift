import SKANDevice
import SKANText

/// The parameters whose values are for Singular alone: the SDK key, and what proves a purchase, an install or a device.
package enum SecretParameter {
  /// What stands for a value.
  package static let mark = ConversionRequest.redactedKey

  private static let names: Set<String> = [
    "a", "purchasereceipt", "receiptsignature", "installreceipt", "attributiontoken", "apnstoken", "fcm", "prc",
    "secret", "key", "sdk", "sdkkey", "apikey", "token", "password", "authorization",
  ]

  /// Whether a parameter of this name holds a secret, or is likely to: `a`, but also `A`, `a[]`, `sdk_key`.
  package static func isSecret(_ name: some StringProtocol) -> Bool {
    names.contains(String(name.lowercased().filter { $0.isASCII && $0.isLetter }))
  }

  /// A query or a form with a mark for each secret; everything else stays as it was written.
  package static func redacted(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "="), item.index(after: equals) < item.endIndex,
        isSecret(decoded(item[..<equals]))
      else { return String(item) }
      return "\(item[...equals])\(mark)"
    }.joined(separator: "&")
  }

  /// The values of secrets in a query or a form, decoded where that can be done.
  package static func values(in query: String) -> [String] {
    query.split(separator: "&").compactMap { text in
      guard let item = SentParameters(Array("\(text)".utf8))?.items.first else {
        return isSecret(text.prefix { $0 != "=" }) ? text.drop { $0 != "=" }.dropFirst().description : nil
      }
      return isSecret(item.name) ? item.value : nil
    }.filter { !$0.isEmpty && $0 != mark }
  }

  private static func decoded(_ name: Substring) -> String {
    SentParameters(Array("\(name)".utf8))?.items.first?.name ?? String(name)
  }
}
