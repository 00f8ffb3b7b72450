import SKANDevice
import SKANBase

/// The metadata of a forwarded request: what the phone kept, and under which names it came.
package struct ForwardedMetadata: Sendable {
  /// What the request says that the app kept.
  package private(set) var kept = KeptState()
  /// Whether there is a name of `getSkanDetails`.
  package private(set) var hasSKAN4Names = false
  /// Whether there is a name of SKAN 3's three.
  package private(set) var hasSKAN3Names = false

  /// Reads the metadata among a request's parameters.
  ///
  /// - Parameter document: is used for reading, so that many requests need no memory of their own.
  package init(_ sent: SentParameters, in document: JSONDocument = JSONDocument()) {
    if let query = Self.details(sent, in: document) {
      hasSKAN4Names = true
      kept = query.reportedState
    }
    for entry in EndpointAPI.v1.forwarded {
      guard let name = entry.forwardedName(in: .v1), let text = sent[name] else { continue }
      hasSKAN3Names = true
      guard let number = Int64(text), number != 0 || !entry.isTimestamp, kept.entry(entry) == nil else { continue }
      _ = kept.set(entry, to: .value(.integer(number)))
    }
  }

  /// Whether there is any.
  package var isEmpty: Bool { !hasSKAN3Names && !hasSKAN4Names }

  /// The entries of `getSkanDetails` as the request that carries them to the other endpoint; nil when there are none.
  static func details(_ sent: SentParameters, in document: JSONDocument = JSONDocument()) -> ConversionQuery? {
    let items = sent.items.filter { $0.parameter.map { ForwardedParameter.all[$0].form == .details } ?? false }
    guard !items.isEmpty else { return nil }
    return ConversionQuery(items.map { "\($0.name)=\($0.raw ?? "")" }.joined(separator: "&"), api: .v2, in: document)
  }
}
