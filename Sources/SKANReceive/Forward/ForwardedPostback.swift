import SKANDevice
import SKANBase
import SKANSigning

/// A received postback as it is passed on.
package struct ForwardedPostback: Sendable, Equatable {
  /// A JSON object: the postback as it came, and ``addedKeys``.
  package let body: [UInt8]
  /// The same for each attempt, and another one for each postback: a receiver that keeps these takes none twice. It has
  /// only letters, digits, and `-._~/%`.
  package let idempotencyKey: String

  /// What stands beside Apple's fields, in this order.
  package static let addedKeys = ["received_at", "simulated", "decoded", "campaign"]

  /// - Returns: nil for what is not passed on: what is not verified, what was received before, and what a development key
  ///   signed, since any phone in Developer Mode gets such postbacks, for every app.
  package init?(_ record: ReceivedRecord) {
    guard record.signature.verdict == .valid, record.repetition == .first, let key = record.signature.key,
      key != .development, let document = try? PostbackDocument(Array(record.body.utf8)),
      case .transaction(let id, let network, let index) = PostbackIdentity(document).key
    else { return nil }
    idempotencyKey = [key.rawValue, network, id, index].map { $0.percentEncoded() }.joined(separator: "/")
    let members = record.json
    let added = Self.addedKeys.map { name in
      (key: name, value: name == "simulated" ? .bool(key == .simulated) : members[name] ?? .null)
    }
    guard let body = Self.body(document, added) else { return nil }
    self.body = body
  }

  /// The bytes of the postback stay as they are; a member of one of these names that a network added gives way.
  private static func body(_ document: PostbackDocument, _ added: [(key: String, value: JSON)]) -> [UInt8]? {
    guard case .object(let members)? = try? JSONReader.read(document.body).value else { return nil }
    let own = members.filter { !addedKeys.contains($0.key) }
    if own.count != members.count { return Array(JSONWriter.text(.object(own + added), layout: .line).utf8) }
    return document.body.dropLast() + [UInt8(ascii: ",")]
      + Array(JSONWriter.text(.object(added), layout: .line).utf8.dropFirst())
  }
}
