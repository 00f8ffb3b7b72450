import SKANBase

/// What a postback says that this phone sends.
package struct PostbackContent: Sendable, Equatable {
  package var version: AdVersion
  package var adNetworkID: String
  /// A source identifier of two to four digits in version 4, a campaign id before.
  package var campaign: AdAttribution.Campaign
  package var appID: Int64
  /// A UUID, in the case in which it came.
  package var transactionID: String
  package var redownload: Bool
  package var source: AdAttribution.Source?
  /// From 2.2 on.
  package var fidelity: Int64?
  /// From 3.0 on.
  package var didWin: Bool?
  /// Version 4: 0, 1 or 2.
  package var sequenceIndex: Int64?
  package var conversionValue: Int64?
  /// `low`, `medium` or `high`; a simulated one may also be `none` (setting `coarse-without`).
  package var coarseValue: String?
  package var countryCode: String?
  /// Base64 of an ECDSA signature in DER; nil for one that is not signed.
  package var signature: String?

  /// U+2063 INVISIBLE SEPARATOR, which joins the signed values.
  package static let separator = "\u{2063}"

  /// The text that is signed: the values of ``AdVersion/signedFields`` that are there. Conversion values are not.
  package var signedText: String {
    version.signedFields.compactMap { value(of: $0)?.signedText }.joined(separator: Self.separator)
  }

  /// The value of a field, or nil when it is left out.
  package func value(of field: PostbackField) -> JSON? {
    switch field {
    case .version: .string(version.rawValue)
    case .adNetworkID: .string(adNetworkID)
    case .sourceIdentifier: if case .sourceIdentifier(let digits) = campaign { .string(digits) } else { nil }
    case .campaignID: if case .campaignID(let id) = campaign { .integer(id) } else { nil }
    case .appID: .integer(appID)
    case .transactionID: .string(transactionID)
    case .redownload: .bool(redownload)
    case .sourceAppID: if case .app(let id)? = source { .integer(id) } else { nil }
    case .sourceDomain: if case .domain(let name)? = source { .string(name) } else { nil }
    case .fidelityType: fidelity.map(JSON.integer)
    case .didWin: didWin.map(JSON.bool)
    case .sequenceIndex: sequenceIndex.map(JSON.integer)
    case .conversionValue: conversionValue.map(JSON.integer)
    case .coarseConversionValue: coarseValue.map(JSON.string)
    case .countryCode: countryCode.map(JSON.string)
    case .signature: signature.map(JSON.string)
    }
  }
}

/// The JSON that goes over the wire. Members are in the order of the fields.
extension PostbackContent: JSONWritable {
  package static var jsonForm: JSONForm {
    .each(of: PostbackField.allCases.map(\.rawValue), .anyOf([.text, .number, .bool]), isComplete: false)
  }

  package func write(to writer: inout JSONWriter) {
    let members = version.fields.compactMap { field in value(of: field).map { (key: field.rawValue, value: $0) } }
    writer.append(.object(members))
  }
}

extension JSON {
  /// The value as the signed text has it.
  fileprivate var signedText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    default: nil
    }
  }
}
