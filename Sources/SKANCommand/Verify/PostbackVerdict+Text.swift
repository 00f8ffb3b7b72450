import SKANDevice
import SKANSigning

extension PostbackVerdict {
  /// The reason in one sentence, with the option that checks a simulated postback.
  var explanation: String {
    let name = postback?.name ?? ""
    return switch reason {
    case .signed(isApples: true): "\(name): the signature is Apple's."
    case .signed(isApples: false):
      "\(name): the signature is of the given key and not Apple's; the postback is simulated."
    case .refused(let fault, isApples: true):
      "\(name): \(fault.message) (checked by Apple's key; --key checks a simulated one)."
    case .refused(let fault, isApples: false): "\(name): \(fault.message) (checked by the given key)."
    case .notSigned: "\(name): it has no signature (\"attribution-signature\")."
    case .signedByEarlierKey:
      "\(name): Apple signed versions 1.0 and 2.0 with another key (P-192), which is not checked here; --key checks "
        + "a simulated one."
    case .adAttributionKit(let other):
      "\(other.name): a JWS, whose signature is not checked yet; those of SKAdNetwork 2.1 to 4.0 are."
    case .unknownVersion: "Nothing tells which fields are signed; the signature was not checked."
    }
  }
}

extension ReceivedPostback {
  /// Which postback it is, to begin a sentence.
  fileprivate var name: String {
    let index = text(of: .sequenceIndex).map { " \($0)" } ?? ""
    let network = text(of: .adNetworkID).map { " of \($0)" } ?? ""
    let transaction = text(of: .transactionID).map { ", transaction \($0)" } ?? ""
    return "Version \(version.rawValue), postback\(index)\(network)\(transaction)"
  }
}

extension AdAttributionKitPostback {
  /// Which postback it is, to begin a sentence.
  fileprivate var name: String {
    let network = networkID.map { " of \($0)" } ?? ""
    let identifier = postbackID.map { ", identifier \($0)" } ?? ""
    let key = keyID.map { ", key \($0)" } ?? ""
    return "AdAttributionKit postback\(network)\(identifier)\(key)"
  }
}
