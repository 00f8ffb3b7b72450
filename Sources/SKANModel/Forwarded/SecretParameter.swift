import SKANText

/// The parameters whose values are for Singular alone: the SDK key, and what proves a purchase, an install or a device.
package enum SecretParameter {
  /// Whether a parameter of this name holds a secret, or is likely to: `a`, but also `A`, `a[]`, `sdk_key`.
  package static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased().filter { $0.isASCII && $0.isLetter }
    return names.contains(name)
  }

  private static let names: Set = [
    "a", "key", "sdkkey", "apikey", "sdk", "secret", "purchasereceipt", "receiptsignature", "installreceipt",
    "attributiontoken", "apnstoken",
  ]
}
