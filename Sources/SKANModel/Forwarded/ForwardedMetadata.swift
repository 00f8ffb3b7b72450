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

  /// The request that carries the entries of `getSkanDetails` to the other endpoint, to read these alone; nil when there
  /// are none.
  static func details(_ sent: SentParameters, in document: JSONDocument = JSONDocument()) -> ConversionQuery? {
    let hasDetails = sent.knownNames.contains { ForwardedParameter.row(at: $0)?.form == .details }
    return hasDetails ? ConversionQuery(sent, api: .v2, in: document) : nil
  }
}
