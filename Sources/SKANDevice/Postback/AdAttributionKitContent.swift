import SKANBase

/// What a simulated postback of AdAttributionKit says beyond the fields that both frameworks have.
package struct AdAttributionKitContent: Sendable, Equatable {
  package var conversion: AdAttribution.ConversionType
  /// `click` or `view`.
  package var interaction: String
  /// Nil if the tier omits it.
  package var marketplace: String?
  /// The name of the key in the header.
  package var keyID = simulatedKeyID
  /// Whether slashes are escaped in the JSON of header and payload, as in Apple's newer sample.
  package var escapesSlashes: Bool

  /// The key ID of the tester's key if none is given with it. No key of Apple's has it, so no signature under it reads
  /// as Apple's.
  package static let simulatedKeyID = "skan-simulated/0"

  /// The form of the claims.
  static let payloadForm = JSONForm.each(
    of: AdAttributionKitField.signed.map(\.rawValue), .anyOf([.text, .number, .bool]), isComplete: false)

  init(
    conversion: AdAttribution.ConversionType, interaction: String, marketplace: String?, escapesSlashes: Bool
  ) {
    self.conversion = conversion
    self.interaction = interaction
    self.marketplace = marketplace
    self.escapesSlashes = escapesSlashes
  }
}

extension PostbackContent {
  /// The value of a member of AdAttributionKit; nil if it is absent, and for SKAdNetwork.
  package func value(of field: AdAttributionKitField) -> JSON? {
    guard let kit else { return nil }
    return switch field {
    case .postbackIdentifier: .string(transactionID)
    case .adNetworkIdentifier: .string(adNetworkID)
    case .sourceIdentifier: value(of: PostbackField.sourceIdentifier)
    case .advertisedItemIdentifier: .integer(appID)
    case .publisherItemIdentifier: value(of: PostbackField.sourceAppID)
    case .marketplaceIdentifier: kit.marketplace.map(JSON.string)
    case .impressionType: .string("app-impression")
    case .conversionType: .string(kit.conversion.rawValue)
    case .didWin: .bool(didWin ?? true)
    case .sequenceIndex: sequenceIndex.map(JSON.integer)
    case .interactionType: .string(kit.interaction)
    case .conversionValue: conversionValue.map(JSON.integer)
    case .coarseConversionValue: coarseValue.map(JSON.string)
    case .countryCode: countryCode.map(JSON.string)
    }
  }

  /// The claims of the JWS; nil for SKAdNetwork.
  package var payload: JSON? { kit == nil ? nil : .object(members(AdAttributionKitField.signed)) }

  /// Header and payload of the JWS, with the dot between them; nil for SKAdNetwork.
  var unsignedJWS: String? {
    guard let kit, let payload else { return nil }
    let header = JSON.object([("kid", .string(kit.keyID)), ("alg", .string("ES256"))])
    return [header, payload].map { part in
      let text = JSONWriter.text(part)
      // A slash can only be within a string.
      return Base64URL.encode((kit.escapesSlashes ? text.replacing("/", with: "\\/") : text).utf8)
    }.joined(separator: ".")
  }

  /// The members of the body; nil for SKAdNetwork. The signature of a JWS that is not signed is empty.
  var adAttributionKitMembers: [(key: String, value: JSON)]? {
    guard let unsignedJWS else { return nil }
    return [(AdAttributionKitField.jws, .string("\(unsignedJWS).\(signature ?? "")"))]
      + members(AdAttributionKitField.unsigned)
  }

  private func members(_ fields: [AdAttributionKitField]) -> [(key: String, value: JSON)] {
    fields.compactMap { field in value(of: field).map { (field.rawValue, $0) } }
  }
}
